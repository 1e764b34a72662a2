import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = String.raw`(?:await\s+)?\(?\w+\.req\.(?:valid|json|query|queries|param|parseBody|formData|header)\(`
const direct = new RegExp(String.raw`\.\.\.\s*\(?\s*${read}|Object\.assign\([^;]*?${read}`, 'g')
const bound = new RegExp(String.raw`(?:const|let)\s+(\w+|\{[^=]*\})\s*(?::[^=]+)?=\s*${read}`, 'g')

/**
 * Spreads of request input: after an identity they overwrite it (`{ userId, ...c.req.valid('json')
 * }`), and nothing shows whether a schema lets the key through.
 */
function inputSpreads(source: string): string[] {
  const names = [...source.matchAll(bound)].flatMap(([, names = '']) => names.match(/\w+/g) ?? [])
  const spreads = names.map((name) => String.raw`\.\.\.\s*${name}\b(?!\s*\()`)
  // A rest element binds its name, and spreads nothing.
  const used = source.replaceAll(bound, '')
  return [
    ...[...source.matchAll(direct)].map(([found]) => found),
    ...spreads.flatMap((spread) => [...used.matchAll(new RegExp(spread, 'g'))].map(([found]) => found)),
  ]
}

test('no request input is spread into an object: pass it as an argument of its own, after the identities', () => {
  const files = globSync('src/**/*.ts').filter((file) => !file.endsWith('.test.ts'))
  const found = files.flatMap((file) => inputSpreads(readFileSync(file, 'utf8')).map((spread) => `${file}: ${spread}`))
  expect(files).toContain('src/server/http/validate.ts')
  expect(found).toEqual([])
})

test.each([
  "mute(deps, { userId, ...c.req.valid('json') })",
  "mute(deps, { ...c.req.valid('query'), userId })",
  'save({ id, ...(await c.req.json()) })',
  "const input = c.req.valid('json')\nsave({ id, ...input })",
  "const { limit, ...filter } = c.req.valid('query')\nlist({ userId, ...filter })",
  "const {\n  keys,\n} = c.req.valid('json')\nsave({ userId, ...keys })",
  'const body: Body = await context.req.json()\nsave({ id, ...body })',
  "Object.assign({ userId }, c.req.valid('json'))",
])('finds the spread in %j', (source) => {
  expect(inputSpreads(source)).toHaveLength(1)
})

test.each([
  "mute(deps, userId, c.req.valid('json'))",
  "const { limit, ...filter } = c.req.valid('query')\nlist(userId, filter, limit)",
  "const input = c.req.valid('json')\nsave({ ...inputOf(input), ...inputs })",
  'const refs = { ...given, tool }',
])('accepts %j', (source) => {
  expect(inputSpreads(source)).toEqual([])
})
