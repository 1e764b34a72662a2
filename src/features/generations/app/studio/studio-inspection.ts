import type { CheckView } from '#tools/contract/views.ts'

/** What the studio knows of the free check of the chosen files. */
export interface StudioInspection {
  view: CheckView | null
  /** Whether it belongs to the options of now. */
  current: boolean
  /** A check is under way. */
  checking: boolean
  /** Why the files cannot be used, in the server's words. */
  refusal: string | null
  /** The check waits for the person's consent to look at faces. */
  needsConsent: boolean
}

/** Where nothing is checked. */
export const noInspection: StudioInspection = {
  view: null,
  current: false,
  checking: false,
  refusal: null,
  needsConsent: false,
}
