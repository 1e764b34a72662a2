import type { ConsentKind } from '../../rules.ts'

/**
 * Versions of the texts of consent-dialog.tsx; a changed text gets a new one here and in the
 * contract's `consentVersions`.
 */
export const shownVersions: Record<ConsentKind, string> = { biometric: '2026-11' }
