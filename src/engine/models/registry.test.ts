import { expect, test } from 'vitest'
import { type ModelName, models, readModel } from './registry.ts'

const names = Object.keys(models) as ModelName[]

test.each(names)('the installed %s is the model of the registry', (name) => {
  expect(readModel(name).map(({ length }) => length)).toEqual(
    Object.values<readonly [number, string]>(models[name].files).map(([bytes]) => bytes),
  )
})
