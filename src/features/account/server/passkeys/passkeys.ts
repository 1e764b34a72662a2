import { isIP } from 'node:net'
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import { and, asc, eq, gt, isNull, lt } from 'drizzle-orm'
import { passkeys, users } from '#server/auth/table.ts'
import type { Config } from '#server/config.ts'
import type { Executor } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { brandName } from '#shared/brand.ts'
import { addTime } from '#shared/time.ts'
import type { PasskeyView } from '../../schemas.ts'
import { tokenHash } from '../account-token.ts'
import { keepUsedPasskey } from '../second-factor/factor-removal.ts'
import { passkeyChallenges } from '../table.ts'

/** Browsers support no passkeys for a bare IP address. */
export function relyingParty({ publicUrl }: Pick<Config, 'publicUrl'>): { id: string; name: string; origin: string } {
  if (!hasPasskeys({ publicUrl })) throw appError('request.not_found')
  return { id: publicUrl.hostname, name: brandName, origin: publicUrl.origin }
}

export function hasPasskeys({ publicUrl }: Pick<Config, 'publicUrl'>): boolean {
  const secure = publicUrl.protocol === 'https:' || publicUrl.hostname === 'localhost'
  return secure && isIP(publicUrl.hostname.replace(/^\[|\]$/g, '')) === 0
}

/** A fifth of all modules of the server, so load it on the first use. */
export const passkeyLibrary = () => import('@simplewebauthn/server')

const minutes = 5

type ChallengeDeps = { db: Executor; clock: Deps['clock'] }

/** With a user, only that account may respond. */
export async function storeChallenge(
  { db, clock }: ChallengeDeps,
  challenge: string,
  userId: string | null,
): Promise<void> {
  const now = clock()
  await db.delete(passkeyChallenges).where(lt(passkeyChallenges.expiresAt, now))
  const expiresAt = addTime(now, { minutes })
  await db.insert(passkeyChallenges).values({ hash: tokenHash(challenge), userId, expiresAt })
}

/** True if this server issued it and it was unused. */
export async function spendChallenge(
  { db, clock }: ChallengeDeps,
  challenge: string,
  userId: string | null,
): Promise<boolean> {
  const spent = await db
    .delete(passkeyChallenges)
    .where(
      and(
        eq(passkeyChallenges.hash, tokenHash(challenge)),
        userId === null ? isNull(passkeyChallenges.userId) : eq(passkeyChallenges.userId, userId),
        gt(passkeyChallenges.expiresAt, clock()),
      ),
    )
    .returning({ hash: passkeyChallenges.hash })
  return spent.length > 0
}

export async function listPasskeys(executor: Executor, userId: string): Promise<PasskeyView[]> {
  const found = await executor
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(asc(passkeys.createdAt))
  return found.map(({ id, name, createdAt, lastUsedAt, removalDueAt }) => ({
    id,
    name,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    removalDueAt: removalDueAt?.toISOString() ?? null,
  }))
}

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
