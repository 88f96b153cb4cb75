declare module '*?raw' {
  const text: string
  export default text
}

/** Files by their paths, as Vite reads them (https://vite.dev/guide/features#glob-import). */
interface ImportMeta {
  glob<T>(pattern: string, options: { query: '?raw'; import: 'default'; eager: true }): Record<string, T>
}
