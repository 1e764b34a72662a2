import { defineConfig } from 'drizzle-kit'

// drizzle-kit needs a default export and resolves paths from the repository's root.
export default defineConfig({
  dialect: 'postgresql',
  schema: './src/server-app/schema.ts',
  out: './src/server/db/migrations',
  casing: 'snake_case',
})
