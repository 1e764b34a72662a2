import { expect, test } from 'vitest'
import { families } from './families/registry.ts'
import { manifest } from './manifest.ts'

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

test('of each task at most one model is recommended, and none that is copyleft', () => {
  const recommended = manifest.filter((model) => model.recommended)
  expect(new Set(recommended.map(({ task }) => task)).size).toBe(recommended.length)
  expect(recommended.filter(({ licence }) => licence.copyleft)).toEqual([])
})

test('known checksums are whole, and addresses are https', () => {
  for (const { sources, sha256 } of manifest.flatMap(({ files }) => Object.values(files))) {
    if (sha256 !== undefined) expect(sha256).toMatch(/^[0-9a-f]{64}$/)
    for (const source of sources) if (typeof source === 'string') expect(source).toMatch(/^https:\/\//)
  }
})
