import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'sqlite',
  schema: ['./src/*/table.ts', './src/*/*/table.ts'],
  out: './migrations/main',
})
