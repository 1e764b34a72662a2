import type { AddedLocation, AddedLocationId, AnyLocationId } from '../../scenes.ts'
import { meaningOf, stemsOf, type Vocabulary } from './meanings.ts'

/** Words of a phrase that is looked up as a whole. */
export const longestPhrase = 3

/** A phrase as prompts are read: lower case, without punctuation. */
export const phraseOf = (text: string): string => wordsOf(text).join(' ')

/** Drops a repetition by a digit, as in "lampu2", and letters for emphasis, as in "pantaiii". */
export const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .normalize('NFC')
    .replace(/(?<=\p{L})['’](?=\p{L})|(?<=\p{L}{3})2(?![\p{L}\p{N}])/gu, '')
    .replace(/(\p{L})\1{2,}/gu, '$1')
    .split(/[^\p{L}\p{N}-]+/u)
    .filter(Boolean)

/** Colours, negations and the like keep their meaning, so a location cannot be found by them. */
export function isReservedWord(phrase: string): boolean {
  const { role, colour } = meaningOf(phrase) ?? {}
  return colour !== undefined || (role !== undefined && role !== 'filler')
}

/**
 * The vocabulary with the words of added locations. They name the added location alone, since the
 * operator knows what it shows; a time of day chooses among locations as it does otherwise.
 */
export function vocabularyWith(added: readonly AddedLocation[]): Vocabulary {
  if (added.length === 0) return meaningOf
  const owners = new Map<string, AddedLocationId[]>()
  for (const { id, words } of added) {
    for (const word of words) {
      if (!isReservedWord(word)) owners.set(word, [...(owners.get(word) ?? []), id])
    }
  }
  return (word) => {
    const known = meaningOf(word)
    const ids = [word, ...stemsOf(word)].map((spelling) => owners.get(spelling)).find((found) => found !== undefined)
    if (!ids) return known
    if (known && isTime(known)) return { ...known, times: [...ids, ...known.times] }
    const { absent: _, role: __, ...rest } = known ?? { second: [], times: [], moods: [] }
    return { ...rest, scenes: [...ids], second: [] }
  }
}

const isTime = ({ times, night }: NonNullable<ReturnType<Vocabulary>>) => times.length > 0 || night === true

/**
 * Added locations that resemble a prompt which nothing shows: by a word of their phrases, or by
 * words for surroundings of the same kind, such as a lake for a river.
 */
export function nearAdded(
  added: readonly AddedLocation[],
  unknown: readonly string[],
  absent: readonly (readonly AnyLocationId[])[],
): AddedLocationId[] {
  const missing = new Set(unknown.flatMap(wordsOf))
  const isNear = ({ words }: AddedLocation) =>
    words.some((phrase) => {
      const { absent: kind, scenes = [] } = meaningOf(phrase) ?? {}
      const isOfKind = absent.some((nearest) => nearest === kind || scenes.some((id) => id === nearest[0]))
      return isOfKind || wordsOf(phrase).some((word) => missing.has(word))
    })
  return added.filter(isNear).map(({ id }) => id)
}
