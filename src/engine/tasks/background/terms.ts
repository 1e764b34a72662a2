import { isAddedLocation, isLocation, type SceneId } from '../../scenes.ts'
import { longestPhrase } from './added-words.ts'
import { type Meaning, respelled, type Vocabulary } from './meanings.ts'

/** A word or phrase of a prompt; `meaning` is undefined outside the vocabulary. */
export interface Term {
  text: string
  meaning: Meaning | undefined
  negated: boolean
  /** Of the place that a misspelled word may mean: it is offered, never shown unasked. */
  meant?: Meaning | undefined
  /** The word describes another one, or names no surroundings. */
  aside?: boolean
}

/** Splits words into terms, longest known phrase first, and marks those under a negation. */
export function termsOf(words: readonly string[], vocabulary: Vocabulary): Term[] {
  const terms: Term[] = []
  let negated = false
  for (let i = 0; i < words.length; ) {
    const { length, ...phrase } = phraseAt(words, i, vocabulary)
    const { meaning } = phrase
    i += length
    if (meaning?.role === 'not') negated = true
    terms.push({ ...phrase, negated: negated && meaning?.role === undefined })
    // "and" and "or" extend a negation to the next noun; otherwise it ends at its noun.
    const next = vocabulary(words[i] ?? '')
    const colourFollows = next?.colour?.follows === true
    if (isNoun(meaning) && !isConjunction(next) && !colourFollows) negated = false
  }
  return terms
}

/** Of "beach or park" the park can be shown. */
export function withoutAbsentAlternatives(clause: Term[]): Term[] {
  const isShown = ({ meaning, negated }: Term) => !negated && (meaning?.scenes.length ?? 0) > 0
  const isAlternative = clause.some(({ meaning }) => meaning?.role === 'or') && clause.some(isShown)
  return isAlternative ? clause.filter(({ meaning, negated }) => negated || !meaning?.absent) : clause
}

/** An unknown word beside an object names another kind of it, as in "palm trees". */
export function otherObjects(clause: readonly Term[]): Term[] {
  const isUnknown = (term: Term | undefined) => term && !term.negated && !term.meaning && !/^\d+$/.test(term.text)
  return clause.map((term, i) => {
    const { meaning } = term
    if (!meaning?.shown || meaning.absent || meaning.scenes.some(isAddedLocation)) return term
    if (!isUnknown(clause[i - 1]) && !isUnknown(clause[i + 1])) return term
    return { ...term, meaning: { ...meaning, scenes: [], second: [], absent: meaning.scenes.filter(isLocation) } }
  })
}

export const isConjunction = (meaning: Meaning | undefined) => meaning?.role === 'and' || meaning?.role === 'or'

export const isNoun = (meaning: Meaning | undefined) =>
  meaning === undefined ||
  meaning.scenes.length > 0 ||
  meaning.absent !== undefined ||
  meaning.shown !== undefined ||
  meaning.role === 'whole'

type Phrase = Omit<Term, 'negated'> & { length: number }

function phraseAt(words: readonly string[], at: number, vocabulary: Vocabulary): Phrase {
  for (let length = Math.min(longestPhrase, words.length - at); length > 0; length--) {
    const text = words.slice(at, at + length).join(' ')
    const meaning = vocabulary(text)
    if (meaning) return { text, meaning, length }
  }
  const text = words[at] as string
  const right = respelled(text)
  const meant = right && vocabulary(right)
  const isPlace = meant && (meant.scenes.length > 0 || meant.absent)
  return { text, meaning: isPlace ? undefined : meant || undefined, length: 1, ...(isPlace && { meant }) }
}

export function unknownIn(clause: readonly Term[]): string[] {
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

/** Words that name surroundings; things in them and times of day only choose among these. */
export const isPlace = ({ meaning, negated, aside }: Term): boolean =>
  !negated &&
  !aside &&
  meaning !== undefined &&
  (meaning.absent !== undefined || (hasScenes(meaning) && !isDetail(meaning)))

const hasScenes = ({ scenes }: Meaning) => scenes.length > 0
const isDetail = ({ shown, times, detail }: Meaning) =>
  shown?.always !== undefined || times.length > 0 || detail === true

/**
 * Sets words aside that are no second place: the latter of two nouns ("kamar hotel"), a plain wall,
 * and where something else is named, parts of a room with their material, and the purpose.
 */
export function setAside(clauses: Term[][]): Term[][] {
  const isMaterial = (clause: readonly Term[], i: number) =>
    [clause[i - 1], clause[i + 1]].some((term) => term?.meaning?.part) &&
    clause[i]?.meaning?.scenes.every((id) => materials.has(id)) === true
  const isPartial = (clause: readonly Term[], i: number) => clause[i]?.meaning?.part || isMaterial(clause, i)
  const isRoom = (clause: readonly Term[]) => clause.some((term, i) => isPlace(term) && !isPartial(clause, i))
  const hasRoom = clauses.some(isRoom)
  const isPlain = clauses.flat().some(({ meaning }) => meaning?.role === 'plain')
  return clauses.map((clause) => {
    const purpose = purposeOf(clause)
    return clause.flatMap((term, i) => {
      const { meaning } = term
      if (i >= purpose && (!meaning || isPlace(term))) return []
      if (!meaning || !isPlace(term)) return [term]
      if (isPlain && meaning.part) return []
      if (hasRoom && isPartial(clause, i)) return [{ ...term, aside: true, meaning: { ...meaning, absent: undefined } }]
      const before = clause[i - 1]
      return [before && isPlace(before) ? { ...term, aside: true } : term]
    })
  })
}

/** Index of "for" after a colour or place. */
function purposeOf(clause: readonly Term[]): number {
  const named = clause.findIndex(
    ({ meaning }) => meaning && (meaning.colour || meaning.role === 'plain' || hasScenes(meaning)),
  )
  const from = clause.findIndex(({ text }, i) => named >= 0 && i > named && purposes.has(text))
  return from < 0 ? clause.length : from
}

const materials: ReadonlySet<string> = new Set<SceneId>(['linen', 'concrete', 'brick', 'wood'])

const purposes = new Set(['untuk', 'utk', 'buat', 'for'])
