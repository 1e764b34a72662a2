import type { Notice } from '#contract/errors.ts'
import type { Box } from '#contract/media.ts'
import type { Facts, InputSpec } from '#tools/tool.ts'

/** Life of a generation: queued → detecting → generating → one of the last three, which are final. */
export const generationStatuses = ['queued', 'detecting', 'generating', 'succeeded', 'failed', 'cancelled'] as const
export type GenerationStatus = (typeof generationStatuses)[number]
export const openStatuses = ['queued', 'detecting', 'generating'] as const satisfies GenerationStatus[]

/** A stored file with its signed, expiring address (absolute, or starting with /). */
export interface FileView {
  id: string
  url: string
  name: string
  contentType: string
  width: number
  height: number
  bytes: number
}

export interface InputView extends FileView {
  /** Name of the tool's input that it was given for. */
  input: string
}

export interface OutputView extends FileView {
  /** What tells it apart from the others, where there is such a word. */
  label: string | null
}

/** A generation in every response and event; times are ISO 8601 in UTC. */
export interface GenerationView {
  id: string
  tool: string
  status: GenerationStatus
  /** 0 to 1. */
  progress: number
  /** Runs before this one while queued, else null. */
  position: number | null
  /** Credits charged. */
  credits: number
  params: Record<string, unknown>
  /** Who did the work, e.g. `local`. */
  provider: string
  warnings: Notice[]
  error: Notice | null
  /** What the tool has to say about the result, e.g. `likeness` or `seed`. */
  facts: Facts
  /** In the order of the tool's inputs. */
  inputs: InputView[]
  outputs: OutputView[]
  thumbnailUrl: string | null
  /** What became of its owner's "not good", if there was one. */
  claim: ClaimView | null
  createdAt: string
  finishedAt: string | null
  expiresAt: string
}

/** 201 of POST /api/generations; the header X-Credits-Charged repeats `credits`. 200 when the same Idempotency-Key came before. */
export interface GenerationCreated extends GenerationView {
  /** Balance after the charge. */
  balance: number
}

/** A face that a check found, in pixels of the input. */
export interface FaceView {
  input: string
  position: number
  box: Box
  /** x and y by turns. */
  points: readonly number[]
}

/** Something that is wrong with the inputs or parameters of a check. */
export interface ProblemView extends Notice {
  /** The parameter or input. */
  path: string
}

/** A line of a check list. */
export interface CheckItemView extends Notice {
  status: 'ok' | 'warning' | 'failed'
  measured: number | null
  wanted: { min?: number; max?: number } | null
}

/** 200 of POST /api/tools/{tool}/check: what a run would cost, and what can be known of it before. */
export interface CheckView {
  credits: number
  facts: Facts
  faces: FaceView[]
  warnings: Notice[]
  problems: ProblemView[]
  checks: CheckItemView[]
}

/** GET /api/tools */
export interface ToolView {
  id: string
  route: string
  enabled: boolean
  /** What admins say while it is not enabled. */
  message: string | null
  /** Unit price in credits. */
  credits: number
  /** What it takes, by name, in the order in which a form's files are given. */
  inputs: Record<string, Pick<InputSpec, 'kind' | 'min' | 'max'>>
  paramsSchema: Record<string, unknown>
}

/** How admins have set a tool. */
export interface ToolSettingsView {
  tool: string
  enabled: boolean
  /** What people are told while it is off. */
  message: string
  provider: string
  /** Those that could do some of its work. */
  providers: string[]
}
export type ToolSettingsInput = Partial<Pick<ToolSettingsView, 'enabled' | 'message' | 'provider'>>

/** Days that results and uploads are kept. */
export const resultDays = 30
export const inputDays = 7

/** What became of a "not good" claim: paid back at once or by an admin, waiting for one, or declined. */
export const claimStatuses = ['refunded', 'waiting', 'declined'] as const
export type ClaimStatus = (typeof claimStatuses)[number]

/** A claim as its owner sees it. */
export interface ClaimView {
  status: ClaimStatus
  /** Credits that came back. */
  refunded: number
}

/** A claim that waits for an admin. Its pictures are opened one by one, which is recorded. */
export interface WaitingClaim {
  generationId: string
  userId: string
  name: string
  tool: string
  credits: number
  reason: string
  createdAt: string
  files: { id: string; role: 'input' | 'output' }[]
}

/** 201 of POST /api/generations/{id}/claim */
export interface ClaimAnswer extends ClaimView {
  /** Balance after it. */
  balance: number
}

/** Hours after a result in which it can be claimed to be no good, and how many of a user's claims in how many days are paid back at once. */
export const claimHours = 24
export const maxInstantRefunds = 3
export const instantRefundDays = 30
/** Longest reason of a claim in characters. */
export const claimReasonMax = 500
