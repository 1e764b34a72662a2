import { compilerMemory as extra, typeCheck } from './run.mjs'

export const staticChecks = [
  { name: 'format and lint', command: 'biome', args: ['check', '--error-on-warnings', '--max-diagnostics=50', '.'] },
  { name: 'types', command: 'tsc', args: typeCheck, extra },
  { name: 'types of the service worker', command: 'tsc', args: [...typeCheck, '-p', 'sw'], extra },
  { name: 'language', command: 'node', args: ['src/scripts/check-language.mjs'] },
  { name: 'documents', command: 'node', args: ['src/scripts/check-documents.mjs'] },
]
