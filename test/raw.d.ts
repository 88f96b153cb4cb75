declare module '*?raw' {
  const text: string
  export default text
}

/** As of `StatementCall` in `test/support/statement-calls.ts`, which makes these. */
declare module '*?statements' {
  export const statementCalls: {
    source: string
    isPart: boolean
    text: (local: unknown) => unknown
    names: (local: unknown) => string[]
  }[]
}

/** Files by their paths, as Vite reads them (https://vite.dev/guide/features#glob-import). */
interface ImportMeta {
  glob<T>(pattern: string, options: { query: string; import: string; eager: true }): Record<string, T>
}
