import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import { eq } from 'drizzle-orm'
import { passkeys, users } from '#server/auth/table.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { keepUsedPasskey } from '../second-factor/factor-removal.ts'
import { passkeyLibrary, relyingParty, spendChallenge, storeChallenge } from './passkeys.ts'

type Tools = Pick<Deps, 'db' | 'clock' | 'config'>

/** The same for every visitor. */
export async function signInOptions(deps: Tools): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await passkeyLibrary()
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(deps.config).id,
    userVerification: 'required',
  })
  await storeChallenge(deps, options.challenge, null)
  return options
}

/** Throws `passkey.refused`. */
export async function ownerOfPasskey(
  deps: Tools,
  response: AuthenticationResponseJSON,
): Promise<typeof users.$inferSelect> {
  const party = relyingParty(deps.config)
  const [known] = await deps.db
    .select({ passkey: passkeys, user: users })
    .from(passkeys)
    .innerJoin(users, eq(users.id, passkeys.userId))
    .where(eq(passkeys.id, response.id))
  if (!known) throw appError('passkey.refused')
  const { passkey, user } = known
  const { verifyAuthenticationResponse } = await passkeyLibrary()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: (challenge) => spendChallenge(deps, challenge, null),
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
    credential: {
      id: passkey.id,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
      counter: passkey.counter,
      transports: passkey.transports as AuthenticatorTransport[],
    },
  }).catch((error: unknown) => {
    throw appError('passkey.refused', { cause: error })
  })
  if (!verified) throw appError('passkey.refused')
  const now = deps.clock()
  return await transact(deps.db, async (tx) => {
    const used = await tx
      .update(passkeys)
      .set({ counter: authenticationInfo.newCounter, lastUsedAt: now })
      .where(eq(passkeys.id, passkey.id))
      .returning({ id: passkeys.id })
    // The passkey was removed meanwhile.
    if (used.length === 0) throw appError('passkey.refused')
    await keepUsedPasskey(tx, { id: passkey.id, userId: user.id, now })
    return user
  })
}
