import { asc, desc, eq } from 'drizzle-orm'
import { eraseReasons, securityLog } from '#server/audit/audit.ts'
import { deviceName } from '#server/auth/device-name.ts'
import { hasTotp } from '#server/auth/factors.ts'
import { revokeSessions } from '#server/auth/revoke-sessions.ts'
import { accountTokens, consents, passkeys, sessions, totpSecrets, users } from '#server/auth/table.ts'
import { withdrawAllMails } from '#server/mail/outbox.ts'
import { sentMails } from '#server/mail/table.ts'
import { jsonFile, type PersonalData } from '#server/personal-data.ts'
import { listPasskeys } from './passkeys/list-passkeys.ts'
import { identities, knownDevices, passkeyChallenges, recoveryCodes } from './table.ts'

export const accountData: PersonalData = {
  async *archive({ db }, { userId }) {
    const [user] = await db.select().from(users).where(eq(users.id, userId))
    if (!user) return
    const { id, name, email, role, language, theme, emailVerifiedAt, createdAt, note, tags } = user
    const linked = await db.select().from(identities).where(eq(identities.userId, userId))
    yield jsonFile('profile.json', {
      id,
      name,
      email,
      role,
      language,
      theme,
      emailVerifiedAt,
      createdAt,
      notedByStaff: { note, tags },
      hasPassword: user.passwordHash !== null,
      passkeys: await listPasskeys(db, userId),
      twoStepSignIn: await hasTotp(db, userId),
      providers: linked.map(({ provider, subject, createdAt: since }) => ({ provider, subject, since })),
    })
    const opened = await db.select().from(sessions).where(eq(sessions.userId, userId)).orderBy(desc(sessions.createdAt))
    yield jsonFile(
      'sessions.json',
      opened.map(({ userId: _, ...session }) => ({ ...session, device: deviceName(session.userAgent) })),
    )
    const mailed = await db.select().from(sentMails).where(eq(sentMails.userId, userId)).orderBy(desc(sentMails.sentAt))
    yield jsonFile(
      'mails.json',
      mailed.map(({ template, sentAt }) => ({ template, sentAt })),
    )
    const agreed = await db.select().from(consents).where(eq(consents.userId, userId)).orderBy(asc(consents.givenAt))
    yield jsonFile(
      'consents.json',
      agreed.map(({ kind, version, givenAt, withdrawnAt }) => ({ kind, version, givenAt, withdrawnAt })),
    )
  },

  async erase(tx, { userId, now }) {
    // Must run before the sessions are deleted: every connection of this user receives the order to
    // close.
    await revokeSessions(tx, { userId, now })
    for (const table of [
      sessions,
      accountTokens,
      identities,
      consents,
      knownDevices,
      totpSecrets,
      recoveryCodes,
      passkeys,
      passkeyChallenges,
    ]) {
      await tx.delete(table).where(eq(table.userId, userId))
    }
    await withdrawAllMails(tx, userId)
    await securityLog.detach(tx, userId)
    await eraseReasons(tx, { kind: 'account', id: userId })
    await tx
      .update(users)
      .set({
        name: '',
        // Not a valid address, so that no visitor can register it or receive its mails.
        email: `deleted:${userId}`,
        passwordHash: null,
        role: 'user',
        duty: null,
        note: '',
        tags: [],
        theme: null,
        emailVerifiedAt: null,
        disabledAt: now,
        deletedAt: now,
      })
      .where(eq(users.id, userId))
    return []
  },
}
