import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const document = (path: string) => readFileSync(join(root, path), 'utf8')
const readme = document('README.md')
const running = document('docs/running.md')
const read = (pattern: string) => globSync(pattern, { cwd: root }).map((path) => readFileSync(join(root, path), 'utf8'))
const found = (text: string, pattern: RegExp) =>
  [...new Set([...text.matchAll(pattern)].map(([, name]) => name))].sort()

test('the README and docs/running.md name every npm command, and none that does not exist', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const named = found(readme + running, /npm run ([a-z0-9:]+)/g)
  // The two without `run` begin the README.
  const known = Object.keys(scripts).filter((name) => !['start', 'test'].includes(name))
  expect(named).toEqual(known.sort())
})

test('docs/running.md has every variable that the server reads, and no other', () => {
  const table = running
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|')[1])
    .join()
  const source = read('src/{main,server,features/*/server}/**/*config.ts').join('\n')
  const known = found(source, /\b(?:read\('|secret\('|environment\.)([A-Z0-9_]+)/g)
  for (const [, first, second] of source.matchAll(/\bpair\('([A-Z0-9_]+)', '([A-Z0-9_]+)'\)/g))
    known.push(first, second)
  expect(found(table, /`([A-Z0-9_]+)`/g)).toEqual(known.sort())
})

test('what the README and docs/running.md name in the tree is there', () => {
  const paths = found(readme + running, /`((?:docs|src|sw|tests|e2e|locale|public)\/[^`<>*{} ]+)`/g)
  for (const [from, text] of [
    ['.', readme],
    ['docs', running],
  ] as const)
    paths.push(...found(text, /\]\(([^):]+)\)/g).map((link) => join(from, link as string)))
  expect(paths.length).toBeGreaterThan(10)
  expect(paths.filter((path) => !existsSync(join(root, path as string)))).toEqual([])
})

test('each line of the threat model names tests that exist', () => {
  const files = globSync(['tests/api/*.test.ts', 'src/**/*.test.ts', 'sw/**/*.test.ts'], { cwd: root }).map((path) =>
    basename(path, '.test.ts'),
  )
  const rows = document('docs/threat-model.md')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
  expect(rows.length).toBeGreaterThan(10)
  for (const row of rows) {
    const names = found(row.split('|')[3] ?? '', /`([a-z*-]+)`/g) as string[]
    expect(names, row).not.toEqual([])
    const exists = (name: string) =>
      files.some((file) => (name.endsWith('*') ? file.startsWith(name.slice(0, -1)) : file === name))
    expect(names.filter((name) => !exists(name))).toEqual([])
  }
})
