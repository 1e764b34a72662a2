import { type AnyLocationId, type ChosenSceneId, type LocationId, sceneIds } from '../../scenes.ts'
import {
  absentLocations,
  alternatives,
  backgroundWords,
  besideWords,
  colourWords,
  conjunctions,
  detailWords,
  fillerWords,
  moodWords,
  negations,
  nightWords,
  partWords,
  plainWords,
  type Setting,
  sceneObjectWords,
  sceneWords,
  secondWords,
  settings,
  thingWords,
  timeWords,
  useWords,
} from './lexicon.ts'
import { lightOf, type Wishes } from './scene.ts'

export interface Meaning {
  scenes: ChosenSceneId[]
  /** Locations that show it less typically, and that show this time of day. */
  second: LocationId[]
  times: AnyLocationId[]
  /** No scene shows it; the three most similar locations. */
  absent?: readonly AnyLocationId[] | undefined
  setting?: Setting
  colour?: { light: Wishes['colours'][number]; follows: boolean }
  moods: (typeof moodWords)[number][0][]
  shown?: (typeof sceneObjectWords)[number]
  night?: true
  /** Of a room, or of surroundings: no place where another one is named. */
  part?: true
  /** Reported where the other one does not show it. */
  beside?: true
  detail?: true
  /** The use of the picture. */
  use?: true
  /** The user's subject, before a place. */
  thing?: true
  role?: 'not' | 'and' | 'or' | 'whole' | 'filler' | 'plain'
}

/** A repetition, the preposition that is often joined to its noun, affixes: the meaning stays. */
const affixes = [
  /^(.{3,})-(?=\1$)/,
  /^(?:di|ber)(?=.{4})/,
  /^(?:ke|per)(?=.{3,}an$)|(?<=^(?:ke|per).{3,})an$/g,
  ...['nya', 'an', 'in', 'kan', 's', 'es', 'ku', 'mu', 'lah'].map(
    (end) => new RegExp(`(?<=.{${end === 'nya' ? 2 : 3}})${end}$`),
  ),
]

export const stemsOf = (word: string): string[] =>
  [word.replace(/(?<=.{2})ies$/, 'y'), ...affixes.map((affix) => word.replace(affix, ''))].filter(
    (stem) => stem !== word,
  )

/** Between words, and between languages. */
const wordsIn = (list: string): string[] => list.split(/, | ?\| ?/).filter(Boolean)

const meanings = new Map<string, Meaning>()
const addMeaning = (words: string, mean: (meaning: Meaning) => void) => {
  for (const word of wordsIn(words)) {
    const known = meanings.get(word) ?? { scenes: [], second: [], times: [], moods: [] }
    meanings.set(word, known)
    mean(known)
  }
}
for (const id of sceneIds) addMeaning(sceneWords[id], ({ scenes }) => scenes.push(id))
for (const [id, words] of Object.entries(secondWords)) addMeaning(words, ({ second }) => second.push(id as LocationId))
for (const [id, words] of Object.entries(timeWords)) addMeaning(words, ({ times }) => times.push(id as LocationId))
for (const [setting, { words, absent, locations }] of Object.entries(settings)) {
  addMeaning(words, ({ times }) => times.push(...locations))
  addMeaning(`${words} | ${absent}`, (meaning) => Object.assign(meaning, { setting }))
}
for (const [near, words] of Object.entries(absentLocations)) {
  const absent = near.split(' ') as LocationId[]
  addMeaning(words, (meaning) => Object.assign(meaning, { absent }))
}
addMeaning(nightWords, (meaning) => Object.assign(meaning, { night: true }))
addMeaning(detailWords, (meaning) => Object.assign(meaning, { detail: true }))
addMeaning(partWords, (meaning) => Object.assign(meaning, { part: true }))
addMeaning(besideWords, (meaning) => Object.assign(meaning, { part: true, beside: true }))
addMeaning(thingWords, (meaning) => Object.assign(meaning, { thing: true }))
addMeaning(useWords, (meaning) => Object.assign(meaning, { part: true, use: true }))
for (const [colour, languages] of Object.entries(colourWords)) {
  for (const [k, words] of languages.entries()) {
    addMeaning(words, (meaning) => {
      meaning.colour = { light: lightOf(colour), follows: k === 0 }
    })
  }
}
for (const [mood, words] of moodWords) addMeaning(words, ({ moods }) => moods.push(mood))
for (const shown of sceneObjectWords) addMeaning(shown.words, (meaning) => Object.assign(meaning, { shown }))
for (const [role, words] of Object.entries({
  not: negations,
  and: conjunctions,
  or: alternatives,
  whole: backgroundWords,
  filler: fillerWords,
  plain: plainWords,
})) {
  addMeaning(words, (meaning) => Object.assign(meaning, { role }))
}

/** English words of places. */
const english = new Set(
  [...Object.values(sceneWords), ...Object.values(absentLocations)].flatMap((words) =>
    wordsIn(words.split(' | ')[1] ?? ''),
  ),
)
/** Compounds of English words end with their head, those of Indonesian words begin with it. */
export const isEnglish = (word: string): boolean => [word, ...stemsOf(word)].some((spelling) => english.has(spelling))

/** Meaning of a word or phrase, or of its stem. */
export type Vocabulary = (word: string) => Meaning | undefined

export const meaningOf: Vocabulary = (word) =>
  [word, ...stemsOf(word)].map((spelling) => meanings.get(spelling)).find((meaning) => meaning !== undefined)

/** Letters from which a word with any one wrong letter is hardly another real word. */
const longWord = 7

/**
 * The known word that an unknown one was meant to be: with a colloquial "e" in its last syllable
 * ("malem"), with a letter twice or two exchanged, without its first vowels ("tnpa"), or long and
 * with one wrong letter. Short words with a wrong letter stay unknown, since "house" would become a
 * horse's.
 */
export function respelled(word: string): string | undefined {
  if (word.length < 3) return undefined
  const written = word.replace(/e(?=[^aeiou]$)/, 'a')
  if (written !== word && meanings.has(written)) return written
  const [single, bare] = [withoutRepeats(word), /^[^aeiou]{3}/.test(word) && withoutVowels(word)]
  let near: string | undefined
  for (const known of meanings.keys()) {
    if (known[0] !== word[0] || known.includes(' ')) continue
    if (withoutRepeats(known) === single || isExchanged(word, known)) return known
    if (bare && known.length <= word.length + 3 && withoutVowels(known) === bare) return known
    if (Math.min(word.length, known.length) >= longWord && isOneLetterAway(word, known)) near ??= known
  }
  return near
}

const withoutRepeats = (word: string) => word.replace(/(.)\1+/g, '$1')
const withoutVowels = (word: string) => word.replace(/[aeiou]/g, '')

/** Index of the first difference, and lengths of the equal ends after it. */
function differenceOf(one: string, other: string) {
  let start = 0
  while (start < one.length && one[start] === other[start]) start++
  let end = 0
  const most = Math.min(one.length, other.length) - start
  while (end < most && one.at(-1 - end) === other.at(-1 - end)) end++
  return { start, end }
}

function isExchanged(one: string, other: string): boolean {
  if (one.length !== other.length || one.length < 5) return false
  const { start, end } = differenceOf(one, other)
  return start + end + 2 === one.length && one[start] === other[start + 1] && one[start + 1] === other[start]
}

function isOneLetterAway(one: string, other: string): boolean {
  const { start, end } = differenceOf(one, other)
  return Math.max(one.length, other.length) - start - end <= 1
}
