import { type SceneId, sceneIds } from '#contract/scenes.ts'
import {
  colourWords,
  conjunctions,
  fillers,
  moodWords,
  negations,
  sceneWords,
  shownWords,
  wholeWords,
} from './lexicon.ts'
import { lightOf, noWishes, type Wishes } from './scene.ts'

/** What a prompt means to the scene generator. */
export interface PromptReading {
  /** Scenes that were named, the best match first. */
  scenes: SceneId[]
  /** What is asked of a scene: colours only where they were said of it or of the whole. */
  wishesFor(scene: SceneId): Wishes
  /** Scenes that show what the words exclude. */
  excluded: ReadonlySet<SceneId>
  /** Whether a colour was named for the background as a whole. */
  coloured: boolean
  /** Words that name something no scene shows, as they were written. */
  unknown: string[]
}

interface Meaning {
  scenes: SceneId[]
  colour?: { light: Wishes['colours'][number]; follows: boolean }
  moods: (typeof moodWords)[number][0][]
  shown?: (typeof shownWords)[number]
  role?: 'not' | 'and' | 'whole' | 'filler'
}

/** A word or phrase of a prompt; `meaning` is undefined for what nobody knows. */
interface Term {
  text: string
  meaning: Meaning | undefined
  denied: boolean
}

const longestPhrase = 3
/** Endings that leave an Indonesian or English word's meaning as it is. */
const endings = ['nya', 'an', 's', 'es', 'ku', 'mu', 'lah']

const meanings = new Map<string, Meaning>()
const each = (words: string, mean: (meaning: Meaning) => void) => {
  for (const word of words.split(', ')) {
    const known = meanings.get(word) ?? { scenes: [], moods: [] }
    meanings.set(word, known)
    mean(known)
  }
}
for (const id of sceneIds) each(sceneWords[id], ({ scenes }) => scenes.push(id))
for (const [colour, languages] of Object.entries(colourWords)) {
  for (const [k, words] of languages.entries()) {
    each(words, (meaning) => {
      meaning.colour = { light: lightOf(colour), follows: k === 0 }
    })
  }
}
for (const [mood, words] of moodWords) each(words, ({ moods }) => moods.push(mood))
for (const shown of shownWords) each(shown.words, (meaning) => Object.assign(meaning, { shown }))
for (const [role, words] of Object.entries({ not: negations, and: conjunctions, whole: wholeWords, filler: fillers })) {
  each(words, (meaning) => Object.assign(meaning, { role }))
}

/**
 * Reads scenes, colours and moods out of free text in Indonesian or English. A colour belongs to
 * the noun beside it (Indonesian colours follow theirs, English ones stand before it), to the whole
 * where there is none. What "tanpa" or "without" excludes is kept apart.
 */
export function readPrompt(text: string): PromptReading {
  const clauses = text
    .toLowerCase()
    .normalize('NFC')
    .split(/[,.;:!?()\n]+|\b(?:tapi|tetapi|but)\b/)
    .map((clause) => termsOf(clause.split(/[^\p{L}\p{N}-]+/u).filter(Boolean)))
  const terms = clauses.flat()
  const excluded = new Set<SceneId>()
  const without = new Set<Wishes['without'][number]>()
  const refused: Wishes['colours'][number][] = []
  for (const { meaning } of terms.filter(({ denied }) => denied)) {
    if (meaning?.shown?.detail) without.add(meaning.shown.detail)
    else for (const id of meaning?.scenes ?? []) excluded.add(id)
    for (const id of meaning?.shown?.always ?? []) excluded.add(id)
    if (meaning?.colour) refused.push(meaning.colour.light)
  }
  const colours = clauses.flatMap(boundColours)
  const moods = noWishes()
  for (const { meaning, denied } of terms) {
    for (const mood of denied ? [] : (meaning?.moods ?? [])) {
      for (const name of ['warmth', 'brightness', 'drama', 'blur'] as const) {
        moods[name] = Math.min(1, Math.max(-1, moods[name] + (mood[name] ?? 0)))
      }
    }
  }
  return {
    scenes: namedScenes(terms, excluded),
    wishesFor: (scene) => ({
      ...moods,
      colours: colours.filter(({ of }) => of === 'whole' || of?.includes(scene)).map(({ light }) => light),
      refused,
      without: [...without],
    }),
    excluded,
    coloured: colours.some(({ of }) => of === 'whole'),
    unknown: clauses.flatMap(unknownIn),
  }
}

/** Words and phrases in order, the longest that are known; what a negation covers is denied. */
function termsOf(words: readonly string[]): Term[] {
  const terms: Term[] = []
  let denied = false
  for (let i = 0; i < words.length; ) {
    const { text, meaning, length } = phraseAt(words, i)
    i += length
    if (meaning?.role === 'not') denied = true
    terms.push({ text, meaning, denied: denied && meaning?.role === undefined })
    // It lasts until the noun that it is about and, beyond "and" and "or", the next one.
    const next = meanings.get(words[i] ?? '')
    const colourFollows = next?.colour?.follows === true
    if (isNoun(meaning) && next?.role !== 'and' && !colourFollows) denied = false
    if (meaning?.colour?.follows && next?.role !== 'and') denied = false
  }
  return terms
}

const isNoun = (meaning: Meaning | undefined) =>
  meaning === undefined || meaning.scenes.length > 0 || meaning.shown !== undefined || meaning.role === 'whole'

function phraseAt(
  words: readonly string[],
  at: number,
): { text: string; meaning: Meaning | undefined; length: number } {
  for (let length = Math.min(longestPhrase, words.length - at); length > 0; length--) {
    const text = words.slice(at, at + length).join(' ')
    const meaning = meanings.get(text) ?? (length === 1 ? stemmed(text) : undefined)
    if (meaning || length === 1) return { text, meaning, length }
  }
  throw new RangeError('there is no word at this place')
}

function stemmed(word: string): Meaning | undefined {
  const stems = endings.filter((ending) => word.length > ending.length + 2 && word.endsWith(ending))
  return stems.map((ending) => meanings.get(word.slice(0, -ending.length))).find((meaning) => meaning !== undefined)
}

/**
 * The colours of a clause with what they were said of: scenes, the whole, or nothing that is made.
 */
function boundColours(clause: readonly Term[]) {
  return clause.flatMap(({ meaning, denied }, i) => {
    if (!meaning?.colour || denied) return []
    const sides = meaning.colour.follows ? ([-1, 1] as const) : ([1, -1] as const)
    const noun = sides.map((step) => nounBeside(clause, i, step)).find((found) => found !== undefined)
    const of = !noun || noun.meaning?.role === 'whole' ? ('whole' as const) : noun.meaning?.scenes
    return [{ light: meaning.colour.light, of }]
  })
}

/**
 * The noun next to a colour, beyond moods, fillers and other colours, on this side of any "and".
 */
function nounBeside(clause: readonly Term[], from: number, step: 1 | -1): Term | undefined {
  for (let i = from + step; i >= 0 && i < clause.length; i += step) {
    const term = clause[i] as Term
    if (term.denied || term.meaning?.role === 'and' || term.meaning?.role === 'not') return undefined
    if (isNoun(term.meaning)) return term
  }
  return undefined
}

/**
 * Longer phrases and earlier words first; times of day name a scene only where nothing else does.
 */
function namedScenes(terms: readonly Term[], excluded: ReadonlySet<SceneId>): SceneId[] {
  const scores = new Map<SceneId, number>()
  for (const [i, { text, meaning, denied }] of terms.entries()) {
    for (const id of denied ? [] : (meaning?.scenes ?? [])) {
      scores.set(id, (scores.get(id) ?? 0) + text.split(' ').length + 1 / (i + 1))
    }
  }
  const wanted = [...scores].filter(([id]) => !excluded.has(id))
  return wanted.sort((a, b) => b[1] - a[1]).map(([id]) => id)
}

/** Runs of words of a clause that nobody knows, joined. */
function unknownIn(clause: readonly Term[]): string[] {
  const runs: string[][] = []
  for (const [i, { text, meaning, denied }] of clause.entries()) {
    if (meaning || denied || /^\d+$/.test(text)) continue
    const before = clause[i - 1]
    if (before && !before.meaning && !before.denied) runs.at(-1)?.push(text)
    else runs.push([text])
  }
  return runs.map((run) => run.join(' '))
}

/**
 * Scenes that take a colour well, for prompts that name nothing else, and a mixed choice for no
 * prompt at all.
 */
const colourful: readonly SceneId[] = ['studio', 'curtain', 'concrete', 'linen']
const surprising: readonly SceneId[] = ['studio', 'window-light', 'garden', 'night-bokeh']

/**
 * The scene of each variant: the one that was chosen, those that the prompt names by turns, or a
 * suitable mixture.
 */
export function scenesFor(
  chosen: SceneId | 'auto',
  { scenes, coloured, excluded }: Pick<PromptReading, 'scenes' | 'coloured' | 'excluded'>,
  count: number,
): SceneId[] {
  const mixture = (coloured ? colourful : surprising).filter((id) => !excluded.has(id))
  const named = scenes.slice(0, 2)
  const from = chosen !== 'auto' ? [chosen] : named.length > 0 ? named : mixture
  return Array.from({ length: count }, (_, i) => from[i % from.length] as SceneId)
}
