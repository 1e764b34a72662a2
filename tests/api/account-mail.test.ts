import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { languages } from '#contract/language.ts'
import { users } from '#features/account/server/table.ts'
import { transact } from '#server/db/transact.ts'
import { createLog } from '#server/log.ts'
import { composeMail } from '#server/mail/compose-mail.ts'
import { createMailer, type Mail } from '#server/mail/mailer.ts'
import { oweMail, sweepMails } from '#server/mail/outbox.ts'
import { mailOutbox, mailTemplates } from '#server/mail/table.ts'
import { createTestApp, type TestApp } from '#tests/support/test-app.ts'

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

describe('an owed mail', () => {
  test('is sent although the process died before its job was queued', async () => {
    app = await createTestApp()
    const { deps } = app
    const person = await app.registerAndVerify()
    const now = app.clock.now()
    await transact(deps.db, (tx) => oweMail(tx, { template: 'password_changed', userId: person.id, now }))
    app.clock.advance({ minutes: 1 })
    await sweepMails(deps)
    expect((await app.mailTo(person.email, 2)).subject).toContain('Kata sandi')
    await vi.waitFor(async () => expect(await deps.db.select().from(mailOutbox)).toHaveLength(0))
  })

  test('is not owed when its transaction fails', async () => {
    app = await createTestApp()
    const { deps } = app
    const person = await app.registerAndVerify()
    const work = transact(deps.db, async (tx) => {
      await oweMail(tx, { template: 'password_changed', userId: person.id, now: app!.clock.now() })
      throw new Error('no')
    })
    await expect(work).rejects.toThrow('no')
    expect(await deps.db.select().from(mailOutbox)).toHaveLength(0)
  })

  test('stays owed while it cannot be handed over, and is tried again', async () => {
    let failures = 1
    const sent: Mail[] = []
    app = await createTestApp({
      mailer: {
        async send(one) {
          if (failures-- > 0) throw new Error('smtp is down')
          sent.push(one)
        },
      },
    })
    const { email } = await app.register()
    const { deps } = app
    await vi.waitFor(() => expect(failures).toBeLessThan(1), { timeout: 20_000 })
    if (sent.length === 0) expect(await deps.db.select().from(mailOutbox)).toHaveLength(1)
    await vi.waitFor(() => expect(sent.map(({ to }) => to)).toEqual([email]), { timeout: 40_000 })
  })

  test('goes with its account', async () => {
    app = await createTestApp({ mailer: { send: () => new Promise(() => {}) } })
    const { deps } = app
    const { email } = await app.register()
    await deps.db.delete(users).where(eq(users.email, email))
    expect(await deps.db.select().from(mailOutbox)).toHaveLength(0)
  })
})

describe('the outbox', () => {
  const folder = () => mkdtempSync(join(tmpdir(), 'rupa-mail-'))

  test('is a file a mail, whole, private, with the link in one piece; the log has the link but not the person', async () => {
    const dataDir = folder()
    const lines: string[] = []
    const log = createLog('info', { write: (line) => lines.push(line) })
    const mailer = createMailer(
      { smtpUrl: undefined, mailFrom: 'Rupa <a@rupa.test>', dataDir, loopback: true },
      log,
      () => new Date(),
    )
    const link = `http://localhost:3000/api/verify_email/${'x'.repeat(43)}`
    await mailer.send(composeMail({ template: 'verify_email', to: "o'../brien@contoh.id", language: 'id', link }))
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

  test('keeps links out of the log when people come from outside', async () => {
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

test('with SMTP_URL mails travel by SMTP, from MAIL_FROM, with both parts', async () => {
  const received: string[] = []
  const server = createServer((socket) => {
    let data = ''
    let reading = false
    socket.write('220 test\r\n')
    socket.on('data', (chunk) => {
      if (reading) {
        data += chunk
        if (!data.endsWith('\r\n.\r\n')) return
        received.push(data)
        reading = false
        socket.write('250 kept\r\n')
        return
      }
      for (const line of String(chunk).split('\r\n').filter(Boolean)) {
        if (/^(MAIL|RCPT)/.test(line)) received.push(line)
        if (line === 'DATA') reading = true
        socket.write(line === 'DATA' ? '354 go\r\n' : line === 'QUIT' ? '221 bye\r\n' : '250 fine\r\n')
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  try {
    const config = {
      smtpUrl: `smtp://127.0.0.1:${port}`,
      mailFrom: 'Rupa <halo@rupa.test>',
      dataDir: '/nowhere',
      loopback: false,
    }
    await createMailer(config, createLog('silent'), () => new Date()).send(mail)
  } finally {
    server.close()
  }
  expect(received[0]).toContain('<halo@rupa.test>')
  expect(received[1]).toContain('<sari@contoh.id>')
  expect(received[2]).toMatch(/text\/plain[\s\S]*teks[\s\S]*text\/html[\s\S]*<p>teks<\/p>/)
})

test.each(languages)('every mail is complete in %s and plain enough to travel unencoded', (language) => {
  for (const template of mailTemplates) {
    const one = composeMail({ template, to: 'a@b.id', language, link: 'https://rupa.test/x?a=1&b="' })
    for (const text of [one.subject, one.text, one.html]) {
      expect(text).not.toMatch(/mail\.[a-z_]+\.|undefined|\{/)
      expect(text).toMatch(/^[\n\x20-\x7e]+$/)
    }
    expect(one.html).toContain('https://rupa.test/x?a=1&amp;b=&quot;')
  }
})
