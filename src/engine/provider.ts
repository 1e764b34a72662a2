import type { Picture, Plane } from './image/picture.ts'

/**
 * What others than the tools' own engines may do, by capability: what they are given, and a picture
 * comes back.
 */
export interface ProvidedWork {
  /** A picture, and where it is to be made anew (1). */
  inpaint: { picture: Picture; mask: Plane }
  /** A picture that is to be so many times as wide and high. */
  upscale: { picture: Picture; factor: 2 | 4 }
  /** A grey picture that is to be coloured. */
  colorize: { picture: Picture }
  /** A scene of this size that the words describe; the same seed gives the same one. */
  background: { prompt: string; width: number; height: number; seed: number }
}
export type ProvidedCapability = keyof ProvidedWork & Capability

/** What the server needs to know of a provider. */
export interface ProviderInfo {
  name: string
  /** It computes elsewhere: its runs mostly wait. */
  remote: boolean
  capabilities: readonly Capability[]
}

/**
 * The job that a provider runs elsewhere, by an id of its own; kept before anything else happens,
 * so that a retry asks for it first.
 */
interface RemoteJob {
  /** The id that an earlier attempt kept. */
  known: string | undefined
  /** Resolves when the id will be found again, whatever happens. */
  keep(id: string): Promise<void>
}

/**
 * Somebody who does work for tools. Each part throws when it cannot be done; the tool's own way is
 * taken then, which is recorded.
 */
export interface Provider extends ProviderInfo {
  work: {
    [Name in ProvidedCapability]?: (work: ProvidedWork[Name], job: RemoteJob, signal: AbortSignal) => Promise<Picture>
  }
}

/** What tools ask of the machine beyond plain computing; admins choose who provides it. */
const capabilities = ['personMask', 'faces', 'objects', 'inpaint', 'upscale', 'colorize', 'background'] as const
export type Capability = (typeof capabilities)[number]

/**
 * What the engine itself is called where it does the work for these capabilities: its backgrounds
 * are scenes, which is no diffusion.
 */
export const ownProvider = (wanted: readonly Capability[]): string =>
  wanted.includes('background') ? 'scenes' : 'local'
