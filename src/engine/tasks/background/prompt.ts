import {
  type AddedLocation,
  type AddedLocationId,
  type AnyLocationId,
  type ChosenSceneId,
  isAddedLocation,
  isLocation,
  type OfferedSceneId,
  offeredScene,
  type SceneId,
} from '../../scenes.ts'
import { nearAdded, vocabularyWith, wordsOf } from './added-words.ts'
import { hueWords, naturalColours, nightLocations, paleWords } from './lexicon.ts'
import type { Meaning } from './meanings.ts'
import { nearestLocations } from './nearest-locations.ts'
import { hasSimilarHue, lightOf, mixColours, neutralWishes, type Wishes } from './scene.ts'
import {
  isConjunction,
  isMoodOfGround,
  isNoun,
  isPlace,
  isSightOfTime,
  otherObjects,
  refusedBackgrounds,
  setAside,
  type Term,
  termsOf,
  unknownIn,
  withoutAbsentAlternatives,
} from './terms.ts'

interface PromptReading {
  /** Named scenes, best match first. */
  scenes: ChosenSceneId[]
  /** Considers only colours that refer to the scene or to the whole background. */
  wishesFor(scene: SceneId): Wishes
  /** Scenes that always show an excluded object. */
  excluded: ReadonlySet<ChosenSceneId>
  coloured: boolean
  /** Colours of the best scene or of the whole background, as they were written. */
  colours: string[]
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

/**
 * Extracts scenes, colours and moods. Indonesian colours follow their noun, English ones precede
 * it; without a noun they apply to the background. Objects after "tanpa" or "without" are excluded.
 */
export function readPrompt(text: string, offered: readonly AddedLocation[] = []): PromptReading {
  const vocabulary = vocabularyWith(offered)
  const read = (clause: string) => withoutAbsentAlternatives(otherObjects(termsOf(wordsOf(clause), vocabulary)))
  const phrases = text.toLowerCase().split(/[,.;:!?()\n]+|\b(?:tapi|tetapi|tp|but)\b/)
  const clauses = setAside(phrases.map(read))
  const terms = clauses.flat()
  const excluded = new Set<ChosenSceneId>()
  const without = new Set<Wishes['without'][number]>()
  const refused: Wishes['colours'][number][] = []
  for (const { meaning } of terms.filter(({ negated }) => negated)) {
    if (meaning?.shown?.detail) without.add(meaning.shown.detail)
    else for (const id of [...(meaning?.scenes ?? []), ...(meaning?.times ?? [])]) excluded.add(id)
    for (const id of meaning?.shown?.always ?? []) excluded.add(id)
    if (meaning?.colour) refused.push(meaning.colour.light)
  }
  const colours = clauses.flatMap(boundColours)
  const wanted = terms.filter(({ negated }) => !negated)
  const coloured = colours.some(({ of }) => of === 'whole')
  const unnamed = clauses.flatMap(unknownIn)
  const missing = clauses.flatMap((clause) => unknownIn(clause.filter(({ aside }) => !aside)))
  const absent = wanted.flatMap(({ meaning }) => (meaning?.absent ? [meaning.absent] : []))
  const named = tintedFirst(namedScenes(terms, excluded), colours)
  const isPlain = wanted.some(({ meaning }) => meaning?.role === 'plain')
  if (named.length === 0 && !coloured && !isPlain)
    for (const words of [unnamed, missing]) words.push(...clauses.flatMap(refusedBackgrounds))
  const isEven = isPlain || (coloured && (without.has('shadow') || isWhite(colours)))
  const isUnnamed = named.length === 0 && missing.length === 0
  const backdrop: ChosenSceneId[] = isUnnamed && !coloured && clauses.some(isMoodOfGround) ? ['studio'] : named
  const scenes = (isUnnamed && isEven) || (named[0] === 'studio' && without.has('shadow')) ? plain : backdrop
  const dark = wanted.flatMap(({ meaning }) => (meaning?.night ? [meaning] : []))
  const nightIds = [...nightLocations, ...dark.flatMap((meaning) => meaning.times)]
  const [best] = scenes
  const isLeftOut = ({ meaning, apart }: Term) =>
    meaning !== undefined &&
    !meaning.absent &&
    best !== undefined &&
    ((isLocation(best) && isSightOfTime(meaning)) || apart || isObjectBeside(best, meaning)) &&
    shareOf(meaning, best) === 0
  const leftOut = [...colours.filter((colour) => isUnshown(colour, best)), ...wanted.filter(isLeftOut)]
  const unknown = [...new Set([...unnamed, ...leftOut.map(({ text }) => text)])]
  const tooBright = dark.length > 0 && best !== undefined && isLocation(best) && !nightIds.includes(best)
  return {
    scenes,
    wishesFor: (scene) => ({
      ...moodsFor(scene, wanted),
      colours: colours.filter((colour) => isOfScene(colour, scene)).map(({ light }) => light),
      refused,
      without: [...without],
    }),
    excluded,
    coloured,
    colours: [
      ...new Set(
        colours.filter((colour) => isOfScene(colour, best) && !isUnshown(colour, best)).map(({ text }) => text),
      ),
    ],
    unknown,
    unfit:
      absent.length > 0 ||
      tooBright ||
      (!wanted.some(isPlace) && wanted.some(({ meant }) => meant)) ||
      (scenes.length === 0 && unknown.length > 0 && !isUnnamed),
    nearest: nearestLocations(wanted, { scenes, added: nearAdded(offered, unknown, absent), excluded }),
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

/** "Gradient sunset pink": a location cannot be tinted, the studio that is shown instead can. */
const isInStudio = (id: ChosenSceneId, shown: SceneId) => shown === 'studio' && isLocation(id)

/** A location that shows the time of day itself needs no mood for it. */
function moodsFor(scene: SceneId, terms: readonly Term[]) {
  const moods = neutralWishes()
  for (const { meaning } of terms) {
    if (meaning?.times.some((id) => id === scene)) continue
    for (const mood of meaning?.moods ?? []) {
      for (const name of ['warmth', 'brightness', 'drama', 'blur', 'sky'] as const) {
        moods[name] = Math.min(1, Math.max(-1, moods[name] + (mood[name] ?? 0)))
      }
    }
  }
  return moods
}

/** The colours of a clause, each with its scenes, `whole`, or undefined for an unknown noun. */
function boundColours(clause: readonly Term[]) {
  return clause.flatMap(({ meaning, negated, text }, i) => {
    if (!meaning?.colour || negated || isHueOfShade(clause, i)) return []
    const sides = meaning.colour.follows ? ([-1, 1] as const) : ([1, -1] as const)
    const noun = sides.map((step) => nounBeside(clause, i, step)).find((found) => found !== undefined)
    const of = !noun || noun.meaning?.role === 'whole' ? ('whole' as const) : noun.meaning?.scenes
    const { light, follows } = meaning.colour
    const isPale = pale.has(clause[i + (follows ? 1 : -1)]?.text ?? '')
    return [{ light: isPale ? mixColours(light, [1, 1, 1], 0.5) : light, of, text }]
  })
}

/** The hue of the shade beside it, as in "navy blue" and "biru navy", or "pastel" with a hue. */
function isHueOfShade(clause: readonly Term[], i: number): boolean {
  const { meaning, text } = clause[i] as Term
  if (pale.has(text)) return clause.some((other, k) => k !== i && other.meaning?.colour && !other.negated)
  const shade = clause[i + (meaning?.colour?.follows ? 1 : -1)]
  if (!meaning?.colour || !shade?.meaning?.colour || !hues.has(text) || hues.has(shade.text)) return false
  return hasSimilarHue(shade.meaning.colour.light, meaning.colour.light)
}

const hues = new Set(hueWords.split(', '))
const pale = new Set(paleWords.split(', '))

type BoundColour = ReturnType<typeof boundColours>[number]

/** Locations keep their own colours. */
function canShow(id: ChosenSceneId, { text }: BoundColour): boolean {
  return !isLocation(id) || (!isAddedLocation(id) && naturalColours[id].split(', ').includes(text))
}

/** Of the scene's own noun or of the whole background. */
const isOfScene = ({ of }: BoundColour, scene: SceneId | undefined): boolean =>
  scene === 'plain' ||
  of === 'whole' ||
  (scene !== undefined && of?.some((id) => id === scene || isInStudio(id, scene)) === true)

/** A colour of the whole background has to be that of the `best` scene. */
function isUnshown(colour: BoundColour, best: ChosenSceneId | undefined): boolean {
  const shown = colour.of === 'whole' ? best && [best] : colour.of
  return (
    shown !== undefined && shown.length > 0 && ![...shown, ...(best ? [best] : [])].some((id) => canShow(id, colour))
  )
}

/** Without the scenes that cannot show a colour which another one of its scenes can. */
function tintedFirst(scenes: readonly ChosenSceneId[], colours: readonly BoundColour[]): ChosenSceneId[] {
  const others = (id: ChosenSceneId, { of }: BoundColour) => (of === 'whole' || of?.includes(id) ? scenes : [])
  return scenes.filter((id) =>
    colours.every((colour) => canShow(id, colour) || !others(id, colour).some((other) => canShow(other, colour))),
  )
}

/**
 * The noun next to a colour, up to a conjunction or negation; skips moods, fillers, colours, and
 * unknown words before a noun, which describe it.
 */
function nounBeside(clause: readonly Term[], from: number, step: 1 | -1): Term | undefined {
  for (let i = from + step; i >= 0 && i < clause.length; i += step) {
    const term = clause[i] as Term
    if (term.negated || isConjunction(term.meaning) || term.meaning?.role === 'not') return undefined
    const next = step === 1 ? clause[i + 1]?.meaning : undefined
    if (!term.meaning && next && isNoun(next)) continue
    if (isNoun(term.meaning)) return term
  }
  return undefined
}

/** Shares of a word's weight for locations that show it less typically, or only the time of day. */
const shares = { second: 0.6, time: 0.7 } as const

/**
 * The scenes that show the most of the named things, times of day and weather, then by phrase
 * length and by position in the prompt.
 */
function namedScenes(terms: readonly Term[], excluded: ReadonlySet<ChosenSceneId>): ChosenSceneId[] {
  const wanted = terms.flatMap((term, i) => {
    const { text, meaning, negated } = term
    if (negated || !meaning) return []
    return [{ meaning, weight: text.split(' ').length + 1 / (i + 1), place: isPlace(term) }]
  })
  const places = wanted.filter(({ place }) => place)
  const named = places.length > 0 ? places : wanted
  const typical = new Set<ChosenSceneId>(named.flatMap(({ meaning }) => meaning.scenes))
  const known = new Set<ChosenSceneId>([...typical, ...named.flatMap(({ meaning }) => meaning.second)])
  // A time of day alone names a place itself, beside an unknown noun only its light.
  const isAlone = places.length === 0 && !terms.some(({ meaning, negated }) => !meaning && !negated)
  if (known.size === 0 && isAlone) for (const { meaning } of wanted) for (const id of meaning.times) known.add(id)
  const scored = [...known].flatMap((id) => {
    if (excluded.has(id)) return []
    const shares = wanted.map(({ meaning, weight }) => weight * shareOf(meaning, id))
    return [
      { id, shown: shares.filter((share) => share > 0).length, score: shares.reduce((sum, share) => sum + share, 0) },
    ]
  })
  const most = Math.max(...scored.map(({ shown }) => shown))
  const best = scored.filter(({ shown }) => shown === most).sort((a, b) => b.score - a.score)
  // Places that show the words less typically count only if nothing shows them better.
  return best.filter(({ id, score }) => score === best[0]?.score || typical.has(id)).map(({ id }) => id)
}

/** "A table with flowers": shadows are made, the other objects only where they are always seen. */
const isObjectBeside = (best: ChosenSceneId, { shown }: Meaning) =>
  shown?.detail !== 'shadow' && (shown?.detail ?? shown?.always) && !shown?.always?.some((id) => id === best)

/** 0 if a scene does not show a word. */
function shareOf({ scenes, second, times }: Meaning, id: ChosenSceneId): number {
  if (scenes.includes(id)) return 1
  if (second.some((other) => other === id)) return shares.second
  return times.some((other) => other === id) ? shares.time : 0
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
  {
    scenes,
    coloured,
    excluded,
    unfit,
    nearest,
  }: Omit<PromptReading, 'wishesFor' | 'colours' | 'unknown' | 'shadowless' | 'added'>,
  count: number,
): ChosenSceneId[] {
  const mixture = (coloured ? colourful : surprising).filter((id) => !excluded.has(id))
  const named = unfit ? nearest : scenes.slice(0, 2)
  const from = chosen !== 'auto' ? [offeredScene(chosen)] : named.length > 0 ? named : mixture
  return Array.from({ length: count }, (_, i) => from[i % from.length] as ChosenSceneId)
}
