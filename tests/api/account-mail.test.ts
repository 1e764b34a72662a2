import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { users } from '#server/auth/table.ts'
import { transact } from '#server/db/transact.ts'
import { createLog } from '#server/log.ts'
import { composeMail } from '#server/mail/compose-mail.ts'
import { createMailer, type Mail } from '#server/mail/mailer.ts'
import { enqueueMail, mailQueue, sendMail } from '#server/mail/outbox.ts'
import { type MailTemplate, mailOutbox, mailTemplates } from '#server/mail/table.ts'
import { sweepOutbox } from '#server/outbox.ts'
import { mails } from '#server-app/registrations.ts'
import { languages } from '#shared/language.ts'
import { createServerHome } from '#tests/support/server-home.ts'
import { startServerProcess } from '#tests/support/server-process.ts'
import { createSmtpServer } from '#tests/support/smtp-server.ts'
import { loseHeartbeats } from '#tests/support/submit.ts'
import { createTestApp, type TestApp, testPassword } from '#tests/support/test-app.ts'

let app: TestApp | undefined
afterEach(async () => {
  await app?.stop()
  app = undefined
})

const mail: Mail = {
  to: 'sari@contoh.id',
  subject: 'Halo',
  text: 'teks',
  html: '<p>teks</p>',
  link: 'http://localhost:3000/x',
}

const causeOf = (template: MailTemplate) => mails.definitions[template].cause
const compose = (mail: Omit<Parameters<typeof composeMail>[0], 'cause'>) =>
  composeMail({ ...mail, cause: causeOf(mail.template) })

const smtpConfig = (url: string) => ({
  smtpUrl: url,
  mailFrom: 'Rupa <halo@rupa.test>',
  dataDir: '/nowhere',
  loopback: false,
})
const mailerTo = (url: string) => createMailer(smtpConfig(url), createLog('silent'), () => new Date())

/** Longer than every pause between two attempts. */
const sendAgain = async ({ clock, deps }: TestApp) => {
  clock.advance({ minutes: 20 })
  await sweepOutbox(deps, mailQueue)
}

describe('a pending mail', () => {
  test('is sent although no process with a sender ran when its transaction committed', async () => {
    const home = await createServerHome()
    const web = await createTestApp({ home, role: 'web' })
    const { email } = await web.register()
    await web.composition.stop()
    app = await createTestApp({ home })
    const { db } = app.deps
    expect([app.mails, await db.$count(mailOutbox)]).toEqual([[], 1])
    await sendAgain(app)
    expect((await app.mailTo(email)).link).toContain('/api/verify_email/')
    await vi.waitFor(async () => expect(await db.$count(mailOutbox)).toBe(0), 120_000)
  })

  describe('whose process is killed between the commit and the delivery', () => {
    const account = { name: 'Sari', email: 'sari@contoh.id', password: testPassword, agreeToTerms: true }

    async function killWhileSending() {
      const smtp = await createSmtpServer()
      onTestFinished(() => smtp.close())
      const home = await createServerHome()
      const env = { ...home.env, SMTP_URL: smtp.url }
      smtp.stall(true)
      const killed = await startServerProcess(env)
      const headers = { 'content-type': 'application/json' }
      await fetch(`${killed.url}/api/register`, { method: 'POST', headers, body: JSON.stringify(account) })
      await vi.waitFor(() => expect(smtp.stalled()).toBe(1), { timeout: 300_000, interval: 10 })
      await killed.end('SIGKILL')
      smtp.stall(false)
      const isReceived = () => expect(smtp.received.filter(({ to }) => to[0] === account.email)).toHaveLength(1)
      return { smtp, home, env, received: () => vi.waitFor(isReceived, { timeout: 300_000, interval: 10 }) }
    }

    test('is sent when the server starts again, later than the next attempt', async () => {
      const { smtp, home, received } = await killWhileSending()
      app = await createTestApp({ home, minutesAhead: 20, mailer: mailerTo(smtp.url) })
      await loseHeartbeats(app)
      await received()
    })

    test('is sent by the sweeper of the next process', { tags: 'soak' }, async () => {
      const { home, env, received } = await killWhileSending()
      const next = await startServerProcess(env)
      try {
        await received()
      } finally {
        await next.end('SIGKILL')
        await home.drop()
      }
    })
  })

  test('is given up after a day of failed attempts', async () => {
    let failures = 0
    const mailer = {
      async send() {
        failures += 1
        throw new Error('smtp is down')
      },
    }
    app = await createTestApp({ mailer, role: 'web' })
    await app.register()
    const { deps, clock } = app
    const start = clock.now().getTime()
    const [owed] = await deps.db.select().from(mailOutbox)
    for (;;) {
      await sendMail(deps, mails, owed?.id ?? '').catch(() => {})
      const [left] = await deps.db.select().from(mailOutbox)
      expect(left?.failure).toBe('smtp is down')
      clock.advance({ seconds: 1 + ((left?.nextAttemptAt.getTime() ?? 0) - clock.now().getTime()) / 1000 })
      if (left?.attempts === mailQueue.maxAttempts) break
    }
    expect(failures).toBe(mailQueue.maxAttempts)
    expect(Math.round((clock.now().getTime() - start) / 3_600_000)).toBe(24)
    await sweepOutbox(deps, mailQueue)
    expect(await deps.db.$count(mailOutbox)).toBe(0)
  })

  test('is not enqueued when its transaction fails', async () => {
    app = await createTestApp()
    const { deps } = app
    const person = await app.registerAndVerify()
    const work = transact(deps.db, async (tx) => {
      await enqueueMail(tx, { template: 'password_changed', userId: person.id, now: app!.clock.now() })
      throw new Error('no')
    })
    await expect(work).rejects.toThrow('no')
    expect(await deps.db.select().from(mailOutbox)).toHaveLength(0)
  })

  test('stays pending while it cannot be delivered, and is retried', async () => {
    let [failures, isDown] = [0, true]
    const sent: Mail[] = []
    app = await createTestApp({
      mailer: {
        async send(one) {
          if (isDown) {
            failures += 1
            throw new Error('smtp is down')
          }
          sent.push(one)
        },
      },
    })
    const { email } = await app.register()
    const { deps } = app
    await vi.waitFor(() => expect(failures).toBeGreaterThan(0), { timeout: 300_000 })
    expect(await deps.db.select().from(mailOutbox)).toHaveLength(1)
    isDown = false
    const isSent = async () => {
      await sendAgain(app as TestApp)
      expect(sent.map(({ to }) => to)).toEqual([email])
    }
    await vi.waitFor(isSent, { timeout: 300_000, interval: 50 })
  })

  test('to a deleted account is dropped', async () => {
    let reachable = false
    let sent = 0
    const send = async () => {
      if (!reachable) throw new Error('the mail server is away')
      sent += 1
    }
    app = await createTestApp({ mailer: { send } })
    const { deps } = app
    const { email } = await app.register()
    const [owed] = await deps.db.select().from(mailOutbox)
    await deps.db.delete(users).where(eq(users.email, email))
    reachable = true
    await sendMail(deps, mails, owed?.id ?? '')
    expect([sent, await deps.db.$count(mailOutbox)]).toEqual([0, 0])
  })
})

describe('the outbox', () => {
  const folder = () => mkdtempSync(join(tmpdir(), 'rupa-mail-'))

  test('keeps each mail in a private file with its link in one piece; the log has the link but not the recipient', async () => {
    const dataDir = folder()
    const lines: string[] = []
    const log = createLog('info', { write: (line) => lines.push(line) })
    const mailer = createMailer(
      { smtpUrl: undefined, mailFrom: 'Rupa <a@rupa.test>', dataDir, loopback: true },
      log,
      () => new Date(),
    )
    const link = `http://localhost:3000/api/verify_email/${'x'.repeat(43)}`
    await mailer.send(compose({ template: 'verify_email', to: "o'../brien@contoh.id", language: 'id', link }))
    await mailer.send(mail)
    const [first = '', ...others] = readdirSync(join(dataDir, 'outbox'))
    expect(others).toHaveLength(1)
    expect(first).toMatch(/^[0-9TZ.-]+-o_\.\._brien@contoh\.id\.eml$/)
    const file = join(dataDir, 'outbox', first)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const source = readFileSync(file, 'utf8')
    expect(source).toContain(`\r\n${link}\r\n`)
    expect(source).toContain(`href="${link}"`)
    expect(lines.join()).toContain(link)
    expect(lines.join()).not.toContain('contoh.id')
  })

  test('keeps links out of the log when the server is reachable from outside', async () => {
    const lines: string[] = []
    const log = createLog('info', { write: (line) => lines.push(line) })
    await createMailer(
      { smtpUrl: undefined, mailFrom: 'a@rupa.test', dataDir: folder(), loopback: false },
      log,
      () => new Date(),
    ).send(mail)
    expect(lines).toEqual([])
  })
})

describe('with SMTP_URL', () => {
  test('mails are sent by SMTP with a login, from MAIL_FROM, with both parts and attachments, and without internal headers', async () => {
    const server = await createSmtpServer({ login: { user: 'rupa', password: 'p@ss:word' } })
    try {
      const composed = compose({ template: 'receipt', to: mail.to, language: 'id', link: 'https://rupa.test/x' })
      const pdf = new TextEncoder().encode('%PDF-1.7 percobaan')
      const attachments = [{ filename: 'kuitansi.pdf', contentType: 'application/pdf', content: pdf }]
      await mailerTo(server.url).send({ ...composed, account: 'another-account', attachments })
      const [received] = server.received
      expect(received).toMatchObject({ from: 'halo@rupa.test', to: ['sari@contoh.id'], user: 'rupa' })
      const { source = '' } = received ?? {}
      expect(source).toMatch(/^From: Rupa <halo@rupa\.test>\r$/m)
      expect(source).toMatch(/text\/plain[\s\S]*Terima kasih![\s\S]*text\/html[\s\S]*<h1/)
      expect(source).toContain('filename=kuitansi.pdf')
      expect(source).toContain(Buffer.from(pdf).toString('base64'))
      expect(source).not.toContain('another-account')
    } finally {
      await server.close()
    }
  })

  test('every mail arrives whole in both languages', async () => {
    const server = await createSmtpServer()
    try {
      const link = `https://rupa.test/reset-password/${'x'.repeat(43)}`
      const mailer = mailerTo(server.url)
      for (const language of languages) {
        const all = mailTemplates.map((template) => compose({ template, to: mail.to, language, link }))
        await Promise.all(all.map((composed) => mailer.send(composed)))
      }
      expect(server.received).toHaveLength(languages.length * mailTemplates.length)
      for (const { source } of server.received) {
        expect(source).toContain(`\r\n${link}\r\n`)
        expect(source).toContain(`href="${link}"`)
        expect(source.split('\r\n').every((line) => line.length <= 998)).toBe(true)
      }
    } finally {
      await server.close()
    }
  })

  test('a refusal, at once or of the recipient alone, keeps the mail pending', async () => {
    const server = await createSmtpServer({ login: { user: 'rupa', password: 'benar' } })
    try {
      await expect(mailerTo(server.url.replace('benar', 'salah')).send(mail)).rejects.toThrow(/Invalid login|535/)
      server.refuse(/penuh@/)
      await expect(mailerTo(server.url).send({ ...mail, to: 'penuh@contoh.id' })).rejects.toThrow(/450|rejected/)
      await mailerTo(server.url).send(mail)
      expect(server.received).toHaveLength(1)
    } finally {
      await server.close()
    }
  })

  test('registers while the SMTP server refuses, and verifies once it accepts', async () => {
    const server = await createSmtpServer()
    app = await createTestApp({
      mailer: mailerTo(server.url),
    })
    app.expectErrors(/./)
    try {
      server.refuse(/./)
      const { email } = await app.register()
      await vi.waitFor(() => expect(server.refused()).toBeGreaterThan(0), { timeout: 300_000 })
      // Only admins see the reason.
      let admin = await app.createUser({ role: 'admin' })
      const failing = async () => (await (await admin.request('/api/admin/jobs')).json()).failing
      const expected = [{ name: 'send-mail', jobs: 1, since: expect.any(String), reason: expect.stringMatching(/450/) }]
      await vi.waitFor(async () => expect(await failing()).toEqual(expected), { timeout: 300_000 })
      const ready = await app.request('/readyz')
      expect(ready.status).toBe(200)
      expect(await ready.json()).toMatchObject({ details: { 'send-mail': '1 failing' } })
      expect(app.logged).toContainEqual(
        expect.objectContaining({ level: 'warn', queue: 'send-mail', msg: expect.stringContaining('tried again') }),
      )
      expect(JSON.stringify([app.logged, await failing()])).not.toContain(email)
      server.refuse(undefined)
      const isReceived = async () => {
        await sendAgain(app as TestApp)
        expect(server.received.map(({ to }) => to[0])).toEqual([email])
      }
      await vi.waitFor(isReceived, { timeout: 300_000, interval: 50 })
      const link = /http:\/\/localhost:3000(\/api\/verify_email\/\S{43})/.exec(server.received[0]?.source ?? '')?.[1]
      expect((await app.request(link as string)).headers.get('location')).toBe('/login?verified=1')
      // The clock has gone beyond the idle time of the first admin's session.
      admin = await app.createUser({ role: 'admin' })
      await vi.waitFor(async () => expect(await failing()).toEqual([]), { timeout: 300_000 })
    } finally {
      await server.close()
    }
  })
})

describe('the HTML of a mail', () => {
  test('escapes all values', () => {
    const values = { device: '<img src=x onerror=alert(1)>', when: '"&\'' }
    const { html, text } = compose({
      template: 'new_device',
      to: 'a@b.id',
      language: 'id',
      link: 'https://a/',
      values,
    })
    expect(html).not.toContain('<img')
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;')
    expect(text).toContain('<img src=x onerror=alert(1)>')
  })

  test.each(mailTemplates)('of %s loads nothing, runs nothing and uses tables for layout', (template) => {
    const { html } = compose({ template, to: 'a@b.id', language: 'id', link: 'https://rupa.test/x' })
    expect(html).not.toMatch(/<(img|script|link|iframe|form|video|svg)\b|url\(|@import|display:\s*(flex|grid)/i)
    const addresses = [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address]) => address)
    expect(new Set(addresses)).toEqual(new Set(['https://rupa.test/x']))
    expect(html.match(/<table/g)).toHaveLength(html.match(/<\/table>/g)?.length ?? 0)
    for (const table of html.match(/<table[^>]*>/g) ?? []) expect(table).toContain('role="presentation"')
    expect(html).toMatch(/<html lang="id"/)
    expect(html.length).toBeLessThan(20_000)
  })
})

test.each(languages)('every mail is complete in %s and plain enough to travel unencoded', (language) => {
  for (const template of mailTemplates) {
    const one = compose({ template, to: 'a@b.id', language, link: 'https://rupa.test/x?a=1&b="' })
    for (const text of [one.subject, one.text, one.html]) {
      expect(text).not.toMatch(/mail\.[a-z_]+\.|undefined|\{[a-z]+\}|<%/)
      expect(text).toMatch(/^[\n\x20-\x7e]+$/)
    }
    expect(one.html).toContain('https://rupa.test/x?a=1&amp;b=&quot;')
  }
})
