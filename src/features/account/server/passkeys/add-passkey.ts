import type { PublicKeyCredentialCreationOptionsJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { count, eq } from 'drizzle-orm'
import { lockFactors } from '#server/auth/factors.ts'
import { deviceName } from '#server/auth/sessions.ts'
import { passkeys, sessions } from '#server/auth/table.ts'
import { isUniqueViolation, transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import type { PasskeyView } from '../../schemas.ts'
import type { Credentials } from '../reauthentication.ts'
import { requireFactorSetupAllowed } from '../second-factor/first-factor.ts'
import { changeFactors, type FactorOwner, type ShownFactor, showFactorIfDue } from '../second-factor/show-factor.ts'
import { listPasskeys, passkeyLibrary, relyingParty, spendChallenge, storeChallenge } from './passkeys.ts'

type Tools = Pick<Deps, 'db' | 'clock' | 'config'>

const maxPasskeys = 20
/** EdDSA, ES256 and RS256 (COSE); every device in use supports one of them. */
const algorithms = [-8, -7, -257]

/** The passkey is discoverable, with user verification by the device. */
export async function passkeyOptions(
  deps: Tools,
  owner: FactorOwner,
  given: Credentials & ShownFactor,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const party = relyingParty(deps.config)
  const { userId } = owner
  const now = deps.clock()
  const { user } = await changeFactors(deps, owner, given, showFactorIfDue, (tx) =>
    requireFactorSetupAllowed(tx, { ...owner, now }),
  )
  const known = await listPasskeys(deps.db, userId)
  if (known.length >= maxPasskeys) throw appError('passkey.too_many')
  const { generateRegistrationOptions } = await passkeyLibrary()
  const options = await generateRegistrationOptions({
    rpID: party.id,
    rpName: party.name,
    userID: new TextEncoder().encode(userId),
    userName: user.email,
    userDisplayName: user.name,
    attestationType: 'none',
    supportedAlgorithmIDs: algorithms,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: known.map(({ id }) => ({ id })),
  })
  await storeChallenge(deps, options.challenge, userId)
  return options
}

/** Counts as a second factor shown in this session, and queues a notice. */
export async function addPasskey(
  deps: Tools,
  { userId, sessionId }: FactorOwner,
  { response, userAgent }: { response: RegistrationResponseJSON; userAgent: string | undefined },
): Promise<PasskeyView[]> {
  const party = relyingParty(deps.config)
  const { verifyRegistrationResponse } = await passkeyLibrary()
  const { registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge: (challenge) => spendChallenge(deps, challenge, userId),
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  }).catch((error: unknown) => {
    throw appError('passkey.refused', { cause: error })
  })
  if (!registrationInfo) throw appError('passkey.refused')
  const { id, publicKey, counter, transports } = registrationInfo.credential
  const now = deps.clock()
  const added = transact(deps.db, async (tx) => {
    await lockFactors(tx, userId)
    await requireFactorSetupAllowed(tx, { userId, sessionId, now })
    const [held] = await tx.select({ count: count() }).from(passkeys).where(eq(passkeys.userId, userId))
    if ((held?.count ?? 0) >= maxPasskeys) throw appError('passkey.too_many')
    await tx.insert(passkeys).values({
      id,
      userId,
      publicKey: Buffer.from(publicKey).toString('base64url'),
      counter,
      transports: transports ?? [],
      name: deviceName(userAgent ?? null),
      createdAt: now,
    })
    await tx.update(sessions).set({ secondFactorAt: now, mayEnrolUntil: null }).where(eq(sessions.id, sessionId))
    await enqueueMail(tx, { template: 'passkey_added', userId, now })
  })
  await added.catch((error: unknown) => {
    throw isUniqueViolation(error) ? appError('passkey.refused') : error
  })
  return await listPasskeys(deps.db, userId)
}
