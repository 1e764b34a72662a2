import { isAddedLocation, isLocation, type SceneId } from '../../scenes.ts'
import { longestPhrase } from './added-words.ts'
import { isEnglish, type Meaning, respelled, type Vocabulary } from './meanings.ts'

/** A word or phrase of a prompt; `meaning` is undefined outside the vocabulary. */
export interface Term {
  text: string
  meaning: Meaning | undefined
  negated: boolean
  /** Of the place that a misspelled word may mean: it is offered, never shown unasked. */
  meant?: Meaning | undefined
  /** The word describes another one, or names no surroundings. */
  aside?: boolean
  /** An aside place that is named for itself, and reported if it is not shown. */
  apart?: boolean
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
  // "Moody light" is no bright one.
  const last = terms.at(-1)
  if (last?.text === 'light' && terms.length > 1) last.meaning = vocabulary('lighting')
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
  const isUnknown = (term: Term | undefined) => term && !term.negated && !term.meaning && !/^\d/.test(term.text)
  return clause.map((term, i) => {
    const { meaning } = term
    if (!meaning?.shown || meaning.absent || meaning.scenes.some(isAddedLocation)) return term
    if (!isUnknown(clause[i - 1]) && !isUnknown(clause[i + 1])) return term
    return { ...term, meaning: { ...meaning, scenes: [], second: [], absent: meaning.scenes.filter(isLocation) } }
  })
}

export const isConjunction = (meaning: Meaning | undefined) => meaning?.role === 'and' || meaning?.role === 'or'

/** A sunset or fog is seen; a morning or evening is only a mood. */
export const isSightOfTime = ({ times, scenes, moods }: Meaning) =>
  times.length > 0 && (scenes.length > 0 || moods.length === 0)

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
    !negated && (meaning === undefined ? !/^\d/.test(text) : meaning.absent !== undefined)
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
 * Sets words aside that are no second place: nouns that describe another one ("kamar hotel",
 * "office lobby", "garden behind the house"), a plain wall, the user's use and subject, and where
 * something else is named, parts of a place with their material.
 */
export function setAside(clauses: Term[][]): Term[][] {
  const isMaterial = (clause: readonly Term[], i: number) =>
    [clause[i - 1], clause[i + 1]].some((term) => term?.meaning?.part) && isOfMaterial(clause[i])
  const isPartial = (clause: readonly Term[], i: number) =>
    (clause[i]?.meaning?.part && !isTintedWall(clause, i)) || isMaterial(clause, i)
  const isRoom = (clause: readonly Term[]) => clause.some((term, i) => isPlace(term) && !isPartial(clause, i))
  const hasRoom = clauses.some(isRoom)
  const isPlain = clauses.flat().some(({ meaning }) => meaning?.role === 'plain')
  const lastEven = clauses.findLastIndex((clause) => clause.some((_, i) => isEvenGround(clause, i)))
  return clauses.map((clause, c) => {
    const purpose = purposeOf(
      clause,
      clauses.some((other) => other !== clause && other.some(isGround)),
    )
    const even = c < lastEven ? clause.length : clause.findLastIndex((_, i) => isEvenGround(clause, i))
    const scene = clause.findLastIndex((other) => isPlace(other) && !other.meaning?.absent)
    const described = describedPlaces(clause, (i) => i < purpose && !(hasRoom && isPartial(clause, i)))
    return clause.flatMap((term, i) => {
      const { meaning } = term
      if (i >= purpose && (!meaning || isPlace(term))) return []
      if (!meaning) return [i < even ? { ...term, aside: true } : term]
      if (!isPlace(term)) return [term]
      if (isPlain && meaning.part) return []
      // One even colour is what such photographs have.
      if (lastEven >= 0 && meaning.use) return [{ ...term, meaning: { ...meaning, scenes: [], role: 'plain' } }]
      const isThing = meaning.thing === true && i < scene
      const apart = isThing || meaning.beside === true
      if (isThing || (hasRoom && isPartial(clause, i)))
        return [{ ...term, aside: true, apart, meaning: { ...meaning, absent: undefined } }]
      const side = described.get(i)
      return [side ? { ...term, aside: true, apart: side === 'apart' } : term]
    })
  })
}

/** "Tembok kamar warna pink": a room cannot have that colour, its wall can. */
function isTintedWall(clause: readonly Term[], i: number): boolean {
  const [before, wall, after] = [clause[i - 1], clause[i] as Term, clause[i + 1]]
  const isHead = isEnglish(wall.text) ? before && isPlace(before) : after && isPlace(after)
  const isTinted = clause.some(({ meaning }) => meaning?.colour)
  return isHead === true && isTinted && wall.meaning?.scenes.includes('concrete') === true
}

/** "Grey background", "latar pastel hijau", "polos biru". Unknown words before it name no place. */
function isEvenGround(clause: readonly Term[], i: number): boolean {
  const ground = clause[i]?.meaning?.role
  if (ground !== 'whole' && ground !== 'plain') return false
  const isEven = ({ meaning }: Term) => meaning?.colour || (ground === 'whole' && meaning?.role === 'plain')
  const isSeen = (term: Term) => isEven(term) || !isAdjective(term)
  const beside = [clause.slice(0, i).findLast(isSeen), clause.slice(i + 1).find(isSeen)]
  return beside.some((term) => term && isEven(term))
}

const isAdjective = ({ meaning }: Term) => meaning !== undefined && meaning.moods.length > 0 && !isNoun(meaning)

/**
 * Indices of places that describe the place beside them. The last noun of an English compound is
 * its head, the first one otherwise, and an unknown thing's material is none.
 */
function describedPlaces(clause: readonly Term[], isNamed: (i: number) => boolean) {
  const described = new Map<number, 'beside' | 'apart'>()
  const places = clause.flatMap((term, i) => (isPlace(term) && isNamed(i) ? [i] : []))
  for (const [k, second] of places.slice(1).entries()) {
    const first = places[k] as number
    const between = clause.slice(first + 1, second)
    const [one, other] = [clause[first] as Term, clause[second] as Term]
    const isUnknown = (i: number) => clause[i] && !clause[i].meaning
    if (between.some(({ meaning }) => isConjunction(meaning)) && !between.some(({ meaning }) => isNoun(meaning)))
      continue
    if (isOfMaterial(one) && (isUnknown(first - 1) || isUnknown(first + 1))) described.set(first, 'beside')
    else if (!between.every(({ meaning }) => meaning?.part)) described.set(second, 'apart')
    else described.set(isEnglish(one.text) && isEnglish(other.text) ? first : second, 'beside')
  }
  return described
}

const isOfMaterial = (term: Term | undefined) =>
  (term?.meaning?.scenes.length ?? 0) > 0 && term?.meaning?.scenes.every((id) => materials.has(id)) === true

/** The background itself, not its atmosphere. */
const isBackground = ({ text, meaning }: Term): boolean =>
  meaning?.role === 'whole' && /^(latar|background|bg|warna|colou?r)/.test(text)

/** "No background", which asks for a cut-out: no scene shows it. */
export const refusedBackgrounds = (clause: readonly Term[]) =>
  clause.flatMap(({ meaning, text }, i) => {
    const next = clause[i + 1]
    return meaning?.role === 'not' && next?.meaning?.role === 'whole' ? [`${text} ${next.text}`] : []
  })

/** "Dark moody background": a backdrop rather than a place. */
export const isMoodOfGround = (clause: readonly Term[]) =>
  clause.some(isBackground) && clause.some(({ meaning, negated }) => !negated && meaning && meaning.moods.length > 0)

const isGround = (term: Term) => {
  const { meaning } = term
  return (
    isBackground(term) || meaning?.colour !== undefined || meaning?.role === 'plain' || (meaning && hasScenes(meaning))
  )
}

/** Index of "for" after a colour or place, which may stand in another clause. */
function purposeOf(clause: readonly Term[], isNamedElsewhere: boolean): number {
  const named = clause.findIndex(isGround)
  const isAfterNamed = (i: number) => (i === 0 ? isNamedElsewhere : named >= 0 && i > named)
  const from = clause.findIndex(({ text }, i) => purposes.has(text) && isAfterNamed(i))
  return from < 0 ? clause.length : from
}

const materials: ReadonlySet<string> = new Set<SceneId>(['linen', 'concrete', 'brick', 'wood', 'batik', 'curtain'])

const purposes = new Set(['untuk', 'utk', 'buat', 'for'])
