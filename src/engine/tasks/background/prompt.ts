import {
  type AddedLocation,
  type AddedLocationId,
  type AnyLocationId,
  type ChosenSceneId,
  isAddedLocation,
  isLocation,
  type LocationId,
  type OfferedSceneId,
  offeredScene,
  type SceneId,
} from '../../scenes.ts'
import { longestPhrase, nearAdded, vocabularyWith, wordsOf } from './added-words.ts'
import { type Meaning, nightLocations, type Vocabulary } from './lexicon.ts'
import { lightOf, neutralWishes, type Wishes } from './scene.ts'

interface PromptReading {
  /** Named scenes, best match first. */
  scenes: ChosenSceneId[]
  /** Considers only colours that refer to the scene or to the whole background. */
  wishesFor(scene: SceneId): Wishes
  /** Scenes that always show an excluded object. */
  excluded: ReadonlySet<ChosenSceneId>
  coloured: boolean
  /** Words that no scene shows, as they were written. */
  unknown: string[]
  /**
   * The prompt names surroundings that no scene shows. Only a provider can make them, so nothing
   * must be charged for others.
   */
  unfit: boolean
  /** The three locations most similar to an unfit prompt. */
  nearest: AnyLocationId[]
  /** The prompt refuses shadows. */
  shadowless: boolean
  /** Added locations that the words name, on which the reading depends. */
  added: AddedLocationId[]
}

/** A word or phrase of a prompt; `meaning` is undefined outside the vocabulary. */
interface Term {
  text: string
  meaning: Meaning | undefined
  negated: boolean
}

/**
 * Extracts scenes, colours and moods. Indonesian colours follow their noun, English ones precede
 * it; without a noun they apply to the background. Objects after "tanpa" or "without" are excluded.
 */
export function readPrompt(text: string, offered: readonly AddedLocation[] = []): PromptReading {
  const vocabulary = vocabularyWith(offered)
  const clauses = text
    .toLowerCase()
    .normalize('NFC')
    .split(/[,.;:!?()\n]+|\b(?:tapi|tetapi|but)\b/)
    .map((clause) => otherObjects(termsOf(wordsOf(clause), vocabulary)))
  const terms = clauses.flat()
  const excluded = new Set<ChosenSceneId>()
  const without = new Set<Wishes['without'][number]>()
  const refused: Wishes['colours'][number][] = []
  for (const { meaning } of terms.filter(({ negated }) => negated)) {
    if (meaning?.shown?.detail) without.add(meaning.shown.detail)
    else for (const id of meaning?.scenes ?? []) excluded.add(id)
    for (const id of meaning?.shown?.always ?? []) excluded.add(id)
    if (meaning?.colour) refused.push(meaning.colour.light)
  }
  const colours = clauses.flatMap(boundColours)
  const wanted = terms.filter(({ negated }) => !negated)
  const coloured = colours.some(({ of }) => of === 'whole')
  const unknown = clauses.flatMap(unknownIn)
  const absent = wanted.flatMap(({ meaning }) => (meaning?.absent ? [meaning.absent] : []))
  const named = namedScenes(terms, excluded)
  const isPlain = wanted.some(({ meaning }) => meaning?.role === 'plain')
  const isEven = isPlain || (coloured && (without.has('shadow') || isWhite(colours)))
  const scenes = named.length === 0 && unknown.length === 0 && isEven ? plain : named
  const isNight = wanted.some(({ meaning }) => meaning?.night)
  const [best] = scenes
  const showsNight = (id: AnyLocationId) =>
    isAddedLocation(id)
      ? wanted.some(({ meaning }) => meaning?.night && meaning.times.includes(id))
      : nightLocations.includes(id)
  const tooBright = isNight && best !== undefined && isLocation(best) && !showsNight(best)
  return {
    scenes,
    wishesFor: (scene) => ({
      ...moodsFor(scene, wanted),
      colours: colours.filter(({ of }) => of === 'whole' || of?.some((id) => id === scene)).map(({ light }) => light),
      refused,
      without: [...without],
    }),
    excluded,
    coloured,
    unknown,
    unfit: absent.length > 0 || tooBright || (scenes.length === 0 && unknown.length > 0),
    nearest: nearestLocations(
      [
        ...nearAdded(offered, unknown, absent),
        ...absent.flat(),
        ...(tooBright ? (['night', 'esplanade'] as const) : []),
      ],
      scenes,
      excluded,
    ),
    shadowless: without.has('shadow'),
    added: [...new Set(terms.flatMap(({ meaning }) => [...(meaning?.scenes ?? []), ...(meaning?.times ?? [])]))].filter(
      isAddedLocation,
    ),
  }
}

const plain: ChosenSceneId[] = ['plain']
const white = lightOf('#e9e7e3')
const isWhite = (colours: ReturnType<typeof boundColours>) =>
  colours.some(({ of, light }) => of === 'whole' && light.every((value, c) => value === white[c]))

/** A location that shows the time of day itself needs no mood for it. */
function moodsFor(scene: SceneId, terms: readonly Term[]) {
  const moods = neutralWishes()
  for (const { meaning } of terms) {
    if (meaning?.times.some((id) => id === scene)) continue
    for (const mood of meaning?.moods ?? []) {
      for (const name of ['warmth', 'brightness', 'drama', 'blur'] as const) {
        moods[name] = Math.min(1, Math.max(-1, moods[name] + (mood[name] ?? 0)))
      }
    }
  }
  return moods
}

const usualLocations: readonly LocationId[] = ['lobby', 'park', 'sunset', 'esplanade', 'sky', 'forest']

function nearestLocations(
  similar: readonly AnyLocationId[],
  scenes: readonly ChosenSceneId[],
  excluded: ReadonlySet<ChosenSceneId>,
): AnyLocationId[] {
  const all = new Set([...scenes.filter(isLocation).slice(0, 1), ...similar, ...usualLocations])
  return [...all].filter((id) => !excluded.has(id)).slice(0, 3)
}

/** Splits words into terms, longest known phrase first, and marks those under a negation. */
function termsOf(words: readonly string[], vocabulary: Vocabulary): Term[] {
  const terms: Term[] = []
  let negated = false
  for (let i = 0; i < words.length; ) {
    const { text, meaning, length } = phraseAt(words, i, vocabulary)
    i += length
    if (meaning?.role === 'not') negated = true
    terms.push({ text, meaning, negated: negated && meaning?.role === undefined })
    // "and" and "or" extend a negation to the next noun; otherwise it ends at its noun.
    const next = vocabulary(words[i] ?? '')
    const colourFollows = next?.colour?.follows === true
    if (isNoun(meaning) && next?.role !== 'and' && !colourFollows) negated = false
    if (meaning?.colour?.follows && next?.role !== 'and') negated = false
  }
  return terms
}

/** An unknown word beside an object names another kind of it, as in "palm trees". */
function otherObjects(clause: readonly Term[]): Term[] {
  const isUnknown = (term: Term | undefined) => term && !term.negated && !term.meaning && !/^\d+$/.test(term.text)
  return clause.map((term, i) => {
    const { meaning } = term
    if (!meaning?.shown || meaning.absent || meaning.scenes.some(isAddedLocation)) return term
    if (!isUnknown(clause[i - 1]) && !isUnknown(clause[i + 1])) return term
    return { ...term, meaning: { ...meaning, scenes: [], second: [], absent: meaning.scenes.filter(isLocation) } }
  })
}

const isNoun = (meaning: Meaning | undefined) =>
  meaning === undefined ||
  meaning.scenes.length > 0 ||
  meaning.absent !== undefined ||
  meaning.shown !== undefined ||
  meaning.role === 'whole'

function phraseAt(
  words: readonly string[],
  at: number,
  vocabulary: Vocabulary,
): { text: string; meaning: Meaning | undefined; length: number } {
  for (let length = Math.min(longestPhrase, words.length - at); length > 0; length--) {
    const text = words.slice(at, at + length).join(' ')
    const meaning = vocabulary(text, length === 1)
    if (meaning || length === 1) return { text, meaning, length }
  }
  throw new RangeError('there is no word at this position')
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

/** Shares of a word's weight for locations that show it less typically, or only the time of day. */
const shares = { second: 0.6, time: 0.7 } as const

/** Ranks scenes by phrase length, then by position in the prompt. */
function namedScenes(terms: readonly Term[], excluded: ReadonlySet<ChosenSceneId>): ChosenSceneId[] {
  const scores = new Map<ChosenSceneId, number>()
  const add = (id: ChosenSceneId, score: number) => scores.set(id, (scores.get(id) ?? 0) + score)
  const typical = new Set<ChosenSceneId>()
  let nouns = 0
  for (const [i, { text, meaning, negated }] of terms.entries()) {
    if (negated || !meaning) continue
    const weight = text.split(' ').length + 1 / (i + 1)
    for (const id of meaning.scenes) {
      typical.add(id)
      add(id, weight)
    }
    for (const id of meaning.second) add(id, shares.second * weight)
    nouns += meaning.scenes.length + (meaning.absent ? 1 : 0)
  }
  // A time of day chooses among the named places, or names one itself.
  const named = [...scores.keys()]
  for (const { meaning, negated } of terms) {
    for (const id of negated ? [] : (meaning?.times ?? [])) {
      if (named.includes(id) || (named.length === 0 && nouns === 0)) add(id, shares.time)
    }
  }
  const wanted = [...scores].filter(([id]) => !excluded.has(id)).sort((a, b) => b[1] - a[1])
  const most = wanted[0]?.[1] ?? 0
  // Places that show the words less typically count only if nothing shows them better.
  return wanted.filter(([id, score]) => score === most || typical.has(id)).map(([id]) => id)
}

function unknownIn(clause: readonly Term[]): string[] {
  const isUnknown = ({ meaning, negated, text }: Term) =>
    !negated && (meaning === undefined ? !/^\d+$/.test(text) : meaning.absent !== undefined)
  const runs: string[][] = []
  for (const [i, term] of clause.entries()) {
    if (!isUnknown(term)) continue
    const before = clause[i - 1]
    if (before && isUnknown(before)) runs.at(-1)?.push(term.text)
    else runs.push([term.text])
  }
  return runs.map((run) => run.join(' '))
}

/** Scenes that suit any colour; and a choice for empty prompts. */
const colourful: readonly OfferedSceneId[] = ['studio', 'curtain', 'concrete', 'linen']
const surprising: readonly OfferedSceneId[] = ['lobby', 'park', 'studio', 'sunrise', 'esplanade', 'apartment']

/**
 * Scenes of the variants: the chosen one, the best of the prompt (several that it names, in turn),
 * or a suitable mixture. A location is seen in another direction in each variant.
 */
export function scenesFor(
  chosen: SceneId | 'auto',
  { scenes, coloured, excluded, unfit, nearest }: Omit<PromptReading, 'wishesFor' | 'unknown' | 'shadowless' | 'added'>,
  count: number,
): ChosenSceneId[] {
  const mixture = (coloured ? colourful : surprising).filter((id) => !excluded.has(id))
  const named = unfit ? nearest : scenes.slice(0, 2)
  const from = chosen !== 'auto' ? [offeredScene(chosen)] : named.length > 0 ? named : mixture
  return Array.from({ length: count }, (_, i) => from[i % from.length] as ChosenSceneId)
}
