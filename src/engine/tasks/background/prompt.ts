import { type SceneId, sceneIds } from '../../scenes.ts'
import {
  backgroundWords,
  colourWords,
  conjunctions,
  fillerWords,
  moodWords,
  negations,
  sceneObjectWords,
  sceneWords,
} from './lexicon.ts'
import { lightOf, neutralWishes, type Wishes } from './scene.ts'

interface PromptReading {
  /** Named scenes, best match first. */
  scenes: SceneId[]
  /** Considers only colours that refer to the scene or to the whole background. */
  wishesFor(scene: SceneId): Wishes
  /** Scenes that always show an excluded object. */
  excluded: ReadonlySet<SceneId>
  coloured: boolean
  /** Words not in the vocabulary, as they were written. */
  unknown: string[]
}

interface Meaning {
  scenes: SceneId[]
  colour?: { light: Wishes['colours'][number]; follows: boolean }
  moods: (typeof moodWords)[number][0][]
  shown?: (typeof sceneObjectWords)[number]
  role?: 'not' | 'and' | 'whole' | 'filler'
}

/** A word or phrase of a prompt; `meaning` is undefined outside the vocabulary. */
interface Term {
  text: string
  meaning: Meaning | undefined
  negated: boolean
}

const longestPhrase = 3
/** Suffixes that do not change the meaning of an Indonesian or English word. */
const endings = ['nya', 'an', 's', 'es', 'ku', 'mu', 'lah']

const meanings = new Map<string, Meaning>()
const addMeaning = (words: string, mean: (meaning: Meaning) => void) => {
  for (const word of words.split(', ')) {
    const known = meanings.get(word) ?? { scenes: [], moods: [] }
    meanings.set(word, known)
    mean(known)
  }
}
for (const id of sceneIds) addMeaning(sceneWords[id], ({ scenes }) => scenes.push(id))
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
  whole: backgroundWords,
  filler: fillerWords,
})) {
  addMeaning(words, (meaning) => Object.assign(meaning, { role }))
}

/**
 * Extracts scenes, colours and moods. Indonesian colours follow their noun, English ones precede
 * it; without a noun they apply to the background. Objects after "tanpa" or "without" are excluded.
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
  for (const { meaning } of terms.filter(({ negated }) => negated)) {
    if (meaning?.shown?.detail) without.add(meaning.shown.detail)
    else for (const id of meaning?.scenes ?? []) excluded.add(id)
    for (const id of meaning?.shown?.always ?? []) excluded.add(id)
    if (meaning?.colour) refused.push(meaning.colour.light)
  }
  const colours = clauses.flatMap(boundColours)
  const moods = neutralWishes()
  for (const { meaning, negated } of terms) {
    for (const mood of negated ? [] : (meaning?.moods ?? [])) {
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

/** Splits words into terms, longest known phrase first, and marks those under a negation. */
function termsOf(words: readonly string[]): Term[] {
  const terms: Term[] = []
  let negated = false
  for (let i = 0; i < words.length; ) {
    const { text, meaning, length } = phraseAt(words, i)
    i += length
    if (meaning?.role === 'not') negated = true
    terms.push({ text, meaning, negated: negated && meaning?.role === undefined })
    // "and" and "or" extend a negation to the next noun; otherwise it ends at its noun.
    const next = meanings.get(words[i] ?? '')
    const colourFollows = next?.colour?.follows === true
    if (isNoun(meaning) && next?.role !== 'and' && !colourFollows) negated = false
    if (meaning?.colour?.follows && next?.role !== 'and') negated = false
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
    const meaning = meanings.get(text) ?? (length === 1 ? meaningOfStem(text) : undefined)
    if (meaning || length === 1) return { text, meaning, length }
  }
  throw new RangeError('there is no word at this position')
}

function meaningOfStem(word: string): Meaning | undefined {
  const stems = endings.filter((ending) => word.length > ending.length + 2 && word.endsWith(ending))
  return stems.map((ending) => meanings.get(word.slice(0, -ending.length))).find((meaning) => meaning !== undefined)
}

/** The colours of a clause, each with its scenes, `whole`, or undefined for an unknown noun. */
function boundColours(clause: readonly Term[]) {
  return clause.flatMap(({ meaning, negated }, i) => {
    if (!meaning?.colour || negated) return []
    const sides = meaning.colour.follows ? ([-1, 1] as const) : ([1, -1] as const)
    const noun = sides.map((step) => nounBeside(clause, i, step)).find((found) => found !== undefined)
    const of = !noun || noun.meaning?.role === 'whole' ? ('whole' as const) : noun.meaning?.scenes
    return [{ light: meaning.colour.light, of }]
  })
}

/** The noun next to a colour, up to a conjunction or negation; skips moods, fillers and colours. */
function nounBeside(clause: readonly Term[], from: number, step: 1 | -1): Term | undefined {
  for (let i = from + step; i >= 0 && i < clause.length; i += step) {
    const term = clause[i] as Term
    if (term.negated || term.meaning?.role === 'and' || term.meaning?.role === 'not') return undefined
    if (isNoun(term.meaning)) return term
  }
  return undefined
}

/** Ranks scenes by phrase length, then by position in the prompt. */
function namedScenes(terms: readonly Term[], excluded: ReadonlySet<SceneId>): SceneId[] {
  const scores = new Map<SceneId, number>()
  for (const [i, { text, meaning, negated }] of terms.entries()) {
    for (const id of negated ? [] : (meaning?.scenes ?? [])) {
      scores.set(id, (scores.get(id) ?? 0) + text.split(' ').length + 1 / (i + 1))
    }
  }
  const wanted = [...scores].filter(([id]) => !excluded.has(id))
  return wanted.sort((a, b) => b[1] - a[1]).map(([id]) => id)
}

function unknownIn(clause: readonly Term[]): string[] {
  const runs: string[][] = []
  for (const [i, { text, meaning, negated }] of clause.entries()) {
    if (meaning || negated || /^\d+$/.test(text)) continue
    const before = clause[i - 1]
    if (before && !before.meaning && !before.negated) runs.at(-1)?.push(text)
    else runs.push([text])
  }
  return runs.map((run) => run.join(' '))
}

/** Scenes that suit any colour; and a choice for empty prompts. */
const colourful: readonly SceneId[] = ['studio', 'curtain', 'concrete', 'linen']
const surprising: readonly SceneId[] = ['studio', 'window-light', 'garden', 'night-bokeh']

/** Scenes of the variants: the chosen one, those in the prompt in turn, or a suitable mixture. */
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
