import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { plainText, refusedWords } from './refused-words.ts'

type Texts = Record<'refused' | 'allowed', string[]>
const sets = JSON.parse(readFileSync('tests/fixtures/refused-words.json', 'utf8')) as Record<'tuned' | 'heldOut', Texts>

test('letters as digits, signs, accents, spaces and repetition are read as plain words', () => {
  expect(plainText('T3L4NJANG!')).toBe('telanjang')
  expect(plainText('b u g i l')).toBe('bugil')
  expect(plainText('Näkeeed')).toBe('naked')
  expect(plainText('4R, 10 x 15')).toBe('ar 10 x 15')
})

describe('prompts in both languages', () => {
  test.each(sets.tuned.refused)('%s is refused', (text) => expect(refusedWords(text)).not.toEqual([]))
  test.each(sets.tuned.allowed)('%s is allowed', (text) => expect(refusedWords(text)).toEqual([]))
})

test('of words that no rule was written for, most harmful ones are refused and harmless ones allowed', () => {
  const { refused, allowed } = sets.heldOut
  const missed = refused.filter((text) => refusedWords(text).length === 0)
  const wronged = allowed.filter((text) => refusedWords(text).length > 0)
  expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(8)
  expect(wronged).toEqual([])
})
