/**
 * Separate from the terms. `biometric`: tools may process faces; `remote`: pictures may be sent to
 * external services.
 */
export const consentKinds = ['biometric', 'remote'] as const
export type ConsentKind = (typeof consentKinds)[number]

/**
 * Versions of the texts in consent-dialog.tsx; a changed text needs a new version and a new
 * consent.
 */
export const consentVersions: Record<ConsentKind, string> = { biometric: '2026-11', remote: '2026-11' }
