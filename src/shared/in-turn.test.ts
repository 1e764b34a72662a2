import { expect, test } from 'vitest'
import { inTurn } from './in-turn.ts'

test('a task starts when the one before has ended, even if that failed', async () => {
  const run = inTurn()
  const said: string[] = []
  const task = (name: string, fails = false) =>
    run(async () => {
      said.push(`${name} begins`)
      await Promise.resolve()
      said.push(`${name} ends`)
      if (fails) throw new Error(name)
      return name
    })
  const [first, second] = [task('first', true), task('second')]
  await expect(first).rejects.toThrow('first')
  expect(await second).toBe('second')
  expect(said).toEqual(['first begins', 'first ends', 'second begins', 'second ends'])
})
