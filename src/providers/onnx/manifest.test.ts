import { expect, test } from 'vitest'
import { families } from './families/registry.ts'
import { type ModelEntry, manifest, type Source, sizeOf, trustsFirstDownload } from './manifest.ts'

/**
 * Immutable addresses: a commit, or an exact package version. A release file can be replaced, which
 * only its digest reveals.
 */
const immutableAddress =
  /\/resolve\/[0-9a-f]{40}\/|^https:\/\/media\.githubusercontent\.com\/media\/[^/]+\/[^/]+\/[0-9a-f]{40}\/|\/releases\/download\//

/** True for a commit, a release or a version, not a branch. */
const isImmutableSource = (source: Source) =>
  typeof source === 'string' ? immutableAddress.test(source) : /@\d+\.\d+\.\d+$/.test(source.npm)

/** True if size and digest of every file are known, from immutable addresses. */
function isPinned({ files }: Pick<ModelEntry, 'files'>): boolean {
  return Object.values(files).every(
    ({ sources, size, sha256 }) => size !== undefined && sha256 !== undefined && sources.every(isImmutableSource),
  )
}

test('every model has a family that does its task and takes its files', () => {
  for (const { name, family, task, files } of manifest) {
    const found = families.find(({ id }) => id === family)
    expect([name, found?.task, found?.files]).toEqual([name, task, Object.keys(files)])
  }
})

test('models have different names, families different ids, and each family a model', () => {
  const names = manifest.map(({ name }) => name)
  const ids = families.map(({ id }) => id)
  expect(new Set(names).size).toBe(names.length)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.filter((id) => !manifest.some(({ family }) => family === id))).toEqual([])
})

test('at most one model for each task is recommended, and no copyleft model', () => {
  const recommended = manifest.filter((model) => model.recommended)
  expect(new Set(recommended.map(({ task }) => task)).size).toBe(recommended.length)
  expect(recommended.filter(({ licence }) => licence.copyleft)).toEqual([])
})

const files = manifest.flatMap(({ name, files: its }) => {
  return Object.entries(its).map(([part, file]) => ({ name: `${name} ${part}`, ...file }))
})

test('known checksums are complete, and addresses use https', () => {
  for (const { sources, sha256 } of files) {
    if (sha256 !== undefined) expect(sha256).toMatch(/^[0-9a-f]{64}$/)
    for (const source of sources) if (typeof source === 'string') expect(source).toMatch(/^https:\/\//)
  }
})

test('every file has a digest and a size, except files without a published digest', () => {
  const open = files.filter(({ sources, size, sha256 }) => sources.length > 0 && !(size && sha256))
  expect(open.map(({ name }) => name)).toEqual(['nsfw-freepik model'])
  expect(manifest.filter(trustsFirstDownload).map(({ name }) => name)).toEqual(['nsfw-freepik'])
})

test('every address names a commit, a release or a version, but for two whose commit is not known', () => {
  const moving = files.filter(({ sources }) => !sources.every(isImmutableSource))
  expect(moving.map(({ name }) => name)).toEqual(['realesr-general wdn', 'ddcolor-tiny model'])
  // Known digests protect them.
  expect(moving.every(({ sha256 }) => sha256)).toBe(true)
})

test.each([
  ['https://huggingface.co/a/b/resolve/main/x.onnx', false],
  ['https://huggingface.co/a/b/resolve/7aaa8a2/x.onnx', false],
  ['https://huggingface.co/a/b/resolve/fa2fa546052fba4c08921230a26cc69a333fca12/x.onnx', true],
  ['https://media.githubusercontent.com/media/a/b/main/x.onnx', false],
  ['https://media.githubusercontent.com/media/a/b/966be4cb6eefc2a4f586ed0581bf4bbaa2533070/x.onnx', true],
  ['https://github.com/a/b/releases/download/v1/x.onnx', true],
  [{ npm: '@a/b@1.4.5', resource: '/x' }, true],
  [{ npm: '@a/b@latest', resource: '/x' }, false],
])('%j is a pinned address: %s', (source, fixed) => {
  expect(isImmutableSource(source)).toBe(fixed)
})

test('only pinned models are recommended, and each has its size and its benefit', () => {
  const recommended = manifest.filter((model) => model.recommended)
  expect(recommended.length).toBeGreaterThan(0)
  for (const model of recommended) {
    expect([model.name, isPinned(model)]).toEqual([model.name, true])
    expect(sizeOf(model)).toBeGreaterThan(0)
    expect(model.improves).toMatch(/\w+ \w+/)
  }
})
