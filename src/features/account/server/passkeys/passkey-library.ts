/**
 * A fifth of all modules of the program; loaded when somebody first uses a passkey, so that it
 * starts sooner.
 */
export const passkeyLibrary = () => import('@simplewebauthn/server')
