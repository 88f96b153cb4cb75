import type { components, paths } from './api.ts'
import type { Call, Page, PageCall } from './call.ts'
import type { CallOptions } from './options.ts'

/** The JSON of the API. Clients ignore unknown fields and values: a version may add some. */
type Schemas = components['schemas']
export type StoreMemory = Schemas['MemoryItemStore']
export type UpdateMemory = Schemas['MemoryItemUpdate']
export type MemoryItem = Schemas['MemoryItem']
/** What a write answers of an item that was there, without `read:memory`. */
export type MemoryItemWritten = Schemas['MemoryItemWritten']
export type SearchMemory = Schemas['MemorySearch']
export type SearchResults = Schemas['MemorySearchReply']
export type BatchOperation = Schemas['BatchOperation']
export type PublishEvent = Schemas['PublishEvent']
export type PublishedEvent = Schemas['PublishedEvent']
export type ImportReport = Schemas['MemoryImportReport']
export type AuditRow = Schemas['AuditRow']
export type { components, paths }

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** The operations of a path, as `GET`, `POST`, `PATCH` and `DELETE`. */
export type MethodsOf<P extends keyof paths> = {
  [M in Method]: paths[P][Lowercase<M>] extends { responses: unknown } ? M : never
}[Method]

export type OperationOf<M extends Method, P extends keyof paths> = paths[P][Lowercase<M>]

type PathOf<O> = O extends { parameters: { path: infer Path } } ? Path : never
export type QueryOf<O> = O extends { parameters: { query?: infer Query } } ? Exclude<Query, undefined> : never
type BodyOf<O> = O extends { requestBody?: infer Body }
  ? Body extends { content: infer Content }
    ? Content[keyof Content]
    : never
  : never

type Content<Response> = Response extends { content: infer Content }
  ? Content extends { 'application/json': infer Json }
    ? Json
    : string
  : void
/** The body of the 2xx answers. */
export type ReplyOf<O> = O extends { responses: infer R } ? Content<R[keyof R]> : never

type Part<Name extends string, Value> = [Value] extends [never]
  ? unknown
  : Partial<Value> extends Value
    ? { [K in Name]?: Value }
    : { [K in Name]: Value }

/** What `request()` takes: the parts that the operation has, and the options of the call. */
export type RequestInput<O> = CallOptions &
  Part<'path', PathOf<O>> &
  Part<'query', QueryOf<O>> &
  Part<'body', BodyOf<O>>

/** An operation of a family: method, path, and whether its input is a query or a body. */
export type Operations = Record<string, `${Method} /${string}`>

type Ids<Path> = Path extends `${string}{${string}}${infer Rest}` ? [id: string, ...Ids<Rest>] : []
type Args<Path, Input> = [...Ids<Path>, ...([Input] extends [never] ? [] : Given<Input>), options?: CallOptions]
type Given<Input> = Partial<Input> extends Input ? [input?: Input] : [input: Input]
/** Not distributed over a union: an answer of two forms is one promise of either. */
type Result<Reply> = [Reply] extends [infer Listed extends Page] ? PageCall<Listed> : Call<Reply>

type Operation<O, Path, Input> = (...args: Args<Path, Input>) => Result<ReplyOf<O>>

/** The functions of a family: the ids of the path in order, then query or body, then options. */
export type Family<T extends Operations> = {
  readonly [Name in keyof T]: T[Name] extends `${infer M extends Method} ${infer Rest}`
    ? Rest extends `${infer P extends keyof paths} query`
      ? Operation<OperationOf<M, P>, P, QueryOf<OperationOf<M, P>>>
      : Rest extends `${infer P extends keyof paths} body`
        ? Operation<OperationOf<M, P>, P, BodyOf<OperationOf<M, P>>>
        : Rest extends keyof paths
          ? Operation<OperationOf<M, Rest>, Rest, never>
          : never
    : never
}
