import { type SceneId, sceneIds } from '#contract/scenes.ts'
import { colourWords, moodWords, negations, sceneWords } from './lexicon.ts'
import { lightOf, type Wishes } from './scene.ts'

/** What a prompt means to the scene generator. */
export interface PromptReading {
  /** Scenes that were named, the best match first. */
  scenes: SceneId[]
  wishes: Wishes
}

const longestPhrase = 3
/** Endings that leave an Indonesian or English word's meaning as it is. */
const endings = ['nya', 'an', 's', 'es', 'ku', 'mu', 'lah']

interface Meaning {
  scenes: SceneId[]
  colour?: string
  moods: Partial<Omit<Wishes, 'colours'>>[]
}

const meanings = new Map<string, Meaning>()
for (const id of sceneIds) for (const word of sceneWords[id]) meaningOf(word).scenes.push(id)
for (const [colour, words] of Object.entries(colourWords)) for (const word of words) meaningOf(word).colour = colour
for (const [mood, words] of moodWords) for (const word of words) meaningOf(word).moods.push(mood)

function meaningOf(word: string): Meaning {
  const known = meanings.get(word) ?? { scenes: [], moods: [] }
  meanings.set(word, known)
  return known
}

/**
 * Reads scenes, colours, moods and times of day out of free text in Indonesian or English. Longer
 * phrases win over their words, earlier scenes over later ones; what follows "tanpa" or "without"
 * does not count.
 */
export function readPrompt(text: string): PromptReading {
  const words = text
    .toLowerCase()
    .normalize('NFC')
    .split(/[^\p{L}\p{N}-]+/u)
    .filter(Boolean)
  const scores = new Map<SceneId, number>()
  const wishes = {
    colours: [] as Wishes['colours'][number][],
    warmth: 0,
    brightness: 0,
    drama: 0,
    blur: 0,
    time: undefined as Wishes['time'],
  }
  let denied = false
  for (let i = 0; i < words.length; ) {
    if (negations.includes(words[i] as string)) {
      denied = true
      i++
      continue
    }
    const found = phraseAt(words, i)
    if (!found) {
      i++
      continue
    }
    const { meaning, length } = found
    i += length
    if (denied) {
      denied = false
      for (const id of meaning.scenes) scores.set(id, -1)
      continue
    }
    for (const id of meaning.scenes) scores.set(id, (scores.get(id) ?? 0) + length + 1 / (i + 1))
    if (meaning.colour) wishes.colours.push(lightOf(meaning.colour))
    for (const mood of meaning.moods) {
      for (const name of ['warmth', 'brightness', 'drama', 'blur'] as const) {
        wishes[name] = Math.min(1, Math.max(-1, wishes[name] + (mood[name] ?? 0)))
      }
      wishes.time ??= mood.time
    }
  }
  const scenes = [...scores].filter(([, score]) => score > 0).sort((a, b) => b[1] - a[1])
  return { scenes: scenes.map(([id]) => id), wishes }
}

function phraseAt(words: readonly string[], at: number): { meaning: Meaning; length: number } | undefined {
  for (let length = Math.min(longestPhrase, words.length - at); length > 0; length--) {
    const phrase = words.slice(at, at + length).join(' ')
    const meaning = meanings.get(phrase) ?? (length === 1 ? stemmed(phrase) : undefined)
    if (meaning) return { meaning, length }
  }
  return undefined
}

function stemmed(word: string): Meaning | undefined {
  for (const ending of endings) {
    if (word.length > ending.length + 2 && word.endsWith(ending)) {
      const meaning = meanings.get(word.slice(0, -ending.length))
      if (meaning) return meaning
    }
  }
  return undefined
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
export function scenesFor(chosen: SceneId | 'auto', { scenes, wishes }: PromptReading, count: number): SceneId[] {
  const named = scenes.slice(0, 2)
  const from =
    chosen !== 'auto' ? [chosen] : named.length > 0 ? named : wishes.colours.length > 0 ? colourful : surprising
  return Array.from({ length: count }, (_, i) => from[i % from.length] as SceneId)
}
