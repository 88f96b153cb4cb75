declare module '*?raw' {
  const text: string
  export default text
}

/** `test/support/statement-calls.ts` makes these. */
declare module '*?statements' {
  export const statementCalls: import('./support/statement-calls.ts').StatementCall[]
}

/** Files by their paths, as Vite reads them (https://vite.dev/guide/features#glob-import). */
interface ImportMeta {
  glob<T>(pattern: string, options: { query: string; import: string; eager: true }): Record<string, T>
}
