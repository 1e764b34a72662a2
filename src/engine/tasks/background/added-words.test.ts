import { describe, expect, test } from 'vitest'
import type { AddedLocation } from '../../scenes.ts'
import { isReservedWord } from './added-words.ts'
import { readPrompt, scenesFor } from './prompt.ts'

const location = (id: string, words: string[]): AddedLocation => ({
  id: `added-${id}`,
  version: 1,
  name: { id, en: id },
  words,
  kind: 'probe',
  exposure: 0,
})
const beach = location('beach', ['pantai', 'pantai sanur', 'beach', 'pasir putih'])
const cafe = location('cafe', ['kafe', 'kedai kopi', 'cafe', 'malam'])
const mosque = location('mosque', ['masjid', 'mosque', 'rustic'])
const offered = [beach, cafe, mosque]
const scenesOf = (prompt: string) => scenesFor('auto', readPrompt(prompt, offered), 2)

describe('words of an added location', () => {
  test.each([
    ['pantai Sanur', 'added-beach'],
    ['di tepi pantai saat sore', 'added-beach'],
    ['a beach in the morning', 'added-beach'],
    ['pantainya', 'added-beach'],
    ['kedai kopi', 'added-cafe'],
    ['cafes', 'added-cafe'],
    ['masjid', 'added-mosque'],
  ])('find it in both languages: %s', (prompt, id) => {
    const reading = readPrompt(prompt, offered)
    expect(reading.unfit).toBe(false)
    expect(reading.added).toContain(id)
    expect(scenesFor('auto', reading, 2)[0]).toBe(id)
  })

  test('show only it, where built-in locations have the same word', () => {
    expect(scenesOf('kafe')).toEqual(['added-cafe', 'added-cafe'])
    expect(scenesOf('hutan')).toEqual(['forest', 'forest'])
  })

  test('of which one is a time of day say that it shows that time', () => {
    expect(readPrompt('kafe malam', offered)).toMatchObject({ unfit: false, scenes: ['added-cafe'] })
    expect(readPrompt('pantai malam', offered).unfit).toBe(true)
    // The time alone belongs to the location that is named with it.
    expect(scenesOf('langit malam')[0]).toBe('night')
  })

  test('make it the first of the nearest for surroundings of its kind, and for a part of its phrases', () => {
    for (const prompt of ['pulau tropis', 'sanur', 'gereja']) {
      const { unfit, nearest } = readPrompt(prompt, offered)
      expect([unfit, nearest.length]).toEqual([true, 3])
    }
    expect(readPrompt('pulau tropis', offered).nearest[0]).toBe('added-beach')
    expect(readPrompt('gereja', offered).nearest[0]).toBe('added-mosque')
    expect(readPrompt('sanur', offered).nearest[0]).toBe('added-beach')
  })

  test('keep the meaning of a refusal, a colour and a mood', () => {
    expect(readPrompt('tanpa pantai', offered).excluded).toContain('added-beach')
    const colours = readPrompt('kafe hangat', offered).wishesFor('added-cafe')
    expect(colours.warmth).toBeGreaterThan(0.5)
    for (const word of ['merah', 'tanpa', 'dan', 'latar', 'white']) expect(isReservedWord(word)).toBe(true)
    for (const word of ['pantai', 'rustic', 'kedai kopi']) expect(isReservedWord(word)).toBe(false)
  })
})

test('without the location its words are told as missing again', () => {
  expect(readPrompt('masjid').unfit).toBe(true)
  expect(readPrompt('masjid', offered).unfit).toBe(false)
})

test('a reading depends on the named locations alone', () => {
  for (const prompt of ['pantai pagi', 'kafe malam', 'masjid, kafe', 'hutan']) {
    const all = readPrompt(prompt, offered)
    const named = readPrompt(
      prompt,
      offered.filter(({ id }) => all.added.includes(id)),
    )
    expect({ ...named, wishesFor: null }).toEqual({ ...all, wishesFor: null })
  }
})
