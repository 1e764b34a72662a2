// Checks links, paths, commands, variables and sizes in README and docs against the tree.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((file) => existsSync(file))
const read = (file) => readFileSync(file, 'utf8')
const documents = files.filter((file) => /^(README|SECURITY|CHANGELOG|docs\/.*)\.?.*\.md$/.test(file))
const all = (text, pattern) => [...new Set([...text.matchAll(pattern)].map(([, found]) => found))].sort()
const problems = []

/** Anchors as GitHub makes them from headings. */
const anchorsOf = (file) =>
  all(read(file), /^#+ (.+)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

for (const file of documents) {
  const text = read(file)
  for (const link of all(text, /\]\(([^)\s]+)\)/g)) {
    if (/^(https?|mailto):/.test(link)) continue
    const [path, anchor] = link.split('#')
    const target = path === '' ? file : join(dirname(file), path)
    if (!existsSync(target)) problems.push(`${file}: the link ${link} is broken`)
    else if (anchor && !anchorsOf(target).includes(anchor)) problems.push(`${file}: ${link} has no such heading`)
  }
  for (const path of all(text, /`((?:docs|src|sw|tests|e2e|locale|public)\/[^`<>*{}… ]+)`/g))
    if (!existsSync(path)) problems.push(`${file}: there is no ${path}`)
  for (const path of all(text, /`([\w./-]+\w\.(?:ts|tsx|mjs|css|po))`/g))
    if (!files.some((known) => `/${known}`.endsWith(`/${path}`))) problems.push(`${file}: no file is called ${path}`)
}

const prose = documents.map(read).join('\n')
const { scripts } = JSON.parse(read('package.json'))
const documented = all(prose, /npm run ([a-z0-9:]+)/g)
for (const name of documented) if (!scripts[name]) problems.push(`npm run ${name} is documented but does not exist`)
for (const name of Object.keys(scripts))
  if (!['start', 'test', ...documented].includes(name)) problems.push(`npm run ${name} is not documented`)

const table = read('docs/running/variables.md')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|')[1])
  .join()
const sources = files.filter((file) =>
  /^src\/(server-app|server|features\/[^/]+\/server)\/(.*\/)?[^/]+\.ts$/.test(file),
)
const source = sources.map(read).join('\n')
const pairs = [...source.matchAll(/\bpair\('([A-Z0-9_]+)', '([A-Z0-9_]+)'\)/g)].flatMap(([, a, b]) => [a, b])
const variables = [...all(source, /\b(?:read\('|secret\('|environment\.)([A-Z0-9_]+)/g), ...pairs]
const listed = all(table, /`([A-Z0-9_]+)`/g)
for (const name of variables) if (!listed.includes(name)) problems.push(`variables.md does not list ${name}`)
for (const name of listed)
  if (!variables.includes(name)) problems.push(`variables.md lists ${name}, which no code reads`)

const tests = files.filter((file) => /\.test\.ts$/.test(file)).map((file) => basename(file, '.test.ts'))
const threats = read('docs/threat-model.md')
  .split('\n')
  .filter((line) => line.startsWith('|'))
for (const row of threats.slice(2)) {
  const names = all(row.split('|')[3] ?? '', /`([a-z*-]+)`/g)
  if (names.length === 0) problems.push(`threat-model.md: no test holds "${row.slice(2, 60)}"`)
  for (const name of names) {
    const exists = tests.some((test) => (name.endsWith('*') ? test.startsWith(name.slice(0, -1)) : test === name))
    if (!exists) problems.push(`threat-model.md: there is no test ${name}`)
  }
}

const words = (text) => text.split(/\s+/).filter(Boolean).length
const readme = read('README.md')
if (words(readme) > 900) problems.push(`README.md has ${words(readme)} words; the limit is 900`)
for (const paragraph of readme.split(/\n\s*\n/))
  if (!/^[|`#\d-]/.test(paragraph) && words(paragraph) > 60)
    problems.push(`README.md: a paragraph has ${words(paragraph)} words: ${paragraph.slice(0, 60)}`)

for (const problem of problems) console.log(problem)
process.exitCode = problems.length > 0 ? 1 : 0
