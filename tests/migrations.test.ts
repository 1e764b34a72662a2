import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const folder = new URL('../src/server/db/migrations/', import.meta.url)
const read = (name: string) => readFileSync(new URL(name, folder))
const { entries } = JSON.parse(read('meta/_journal.json').toString()) as { entries: { tag: string; when: number }[] }

/** `<creation time> <SHA-256> <name>` of released.txt. */
const lineOf = ({ tag, when }: { tag: string; when: number }) =>
  `${when} ${createHash('sha256')
    .update(read(`${tag}.sql`))
    .digest('hex')} ${tag}`

const released = read('released.txt').toString().trimEnd().split('\n')
const present = entries.map(lineOf)

test('released migrations never change, because databases that have them would be refused', () => {
  const changed = released.filter((line, index) => line !== present[index])
  const advice =
    'A merged migration must not be changed, joined or removed (docs/decisions/0025-migrations-are-never-joined.md); correct the line only for one that was never merged'
  expect(changed, advice).toEqual([])
})

test('every migration is listed in released.txt', () => {
  const missing = present.slice(released.length)
  expect(missing, `add to src/server/db/migrations/released.txt:\n${missing.join('\n')}\n`).toEqual([])
  const files = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  expect(files.sort()).toEqual(entries.map(({ tag }) => `${tag}.sql`).sort())
})
