import { audit } from '#server/audit/audit.ts'
import { findRecipient } from '#server/auth/accounts.ts'
import { requirePermission } from '#server/auth/require-user.ts'
import { isSessionAlive } from '#server/auth/sessions.ts'
import { advisoryLock, requireVersion, transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { limitRate } from '#server/http/rate-limit.ts'
import { route } from '#server/http/route.ts'
import {
  composeMail,
  findMailTexts,
  listMailTexts,
  type MailTexts,
  mailValues,
  ownTexts,
  textsToSend,
  wrongTexts,
} from '#server/mail/compose-mail.ts'
import type { MailDefinitions } from '#server/mail/mail-definition.ts'
import type { Mail } from '#server/mail/mailer.ts'
import { type MailTemplate, mailTemplates, mailTexts } from '#server/mail/table.ts'
import { fileAddressSeconds, signedQuery, signingKeys } from '#server/storage/signed-address.ts'
import { type Language, languages } from '#shared/language.ts'
import { mailPreviewInput, mailPreviewSchema, mailTemplatesSchema, mailTextsInput } from '../schemas.ts'

const testsPerHour = { limit: 20, seconds: 3600 }
/** A mail contains its styles and loads nothing else. */
const letterPolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"

export function mailRoutes(deps: Deps, definitions: MailDefinitions) {
  const shop = requirePermission(deps, 'shop')
  const known = (name: string): MailTemplate => {
    const found = mailTemplates.find((template) => template === name)
    if (!found) throw appError('request.not_found')
    return found
  }
  const sendTest = async (userId: string, template: MailTemplate, { language }: typeof mailPreviewInput.infer) => {
    await limitRate(deps, [{ rule: 'test-mail', subject: userId, ...testsPerHour }])
    const person = await findRecipient(deps.db, userId)
    if (!person) throw appError('account.not_found')
    try {
      const { texts } = await findMailTexts(deps.db, template, language)
      await deps.mailer.send(exampleMail(deps, definitions, { template, language, texts, to: person.address }))
    } catch (error) {
      deps.log.warn({ err: error }, 'could not send a test email')
      throw appError('server.unavailable')
    }
  }
  return [
    route('listMailTemplates', 'GET /admin/mail_templates', shop, {
      summary: 'List email templates',
      input: { query: mailPreviewInput },
      output: { 200: ['Template names and subjects', mailTemplatesSchema] },
      handler: async (c) => {
        const { language } = c.req.valid('query')
        const written = await listMailTexts(deps.db, language)
        const items = mailTemplates.map((template) => {
          const texts = written.get(template) ?? null
          const { subject } = exampleMail(deps, definitions, { template, language, texts })
          return { template, subject, own: texts === null }
        })
        return { items }
      },
    }),
    route('previewMail', 'GET /admin/mail_templates/:template', shop, {
      summary: 'Preview an email with sample values',
      input: { query: mailPreviewInput },
      output: { 200: ['The mail', mailPreviewSchema] },
      errors: ['request.not_found'],
      handler: async (c) => {
        const template = known(c.req.param('template'))
        const { language } = c.req.valid('query')
        const { texts, version } = await findMailTexts(deps.db, template, language)
        const { subject, text } = exampleMail(deps, definitions, { template, language, texts })
        const own = ownTexts(template, language)
        const signed = { id: `mail:${template}:${language}`, session: c.var.sessionId }
        const query = signedQuery(signed, deps.config.fileSigningKey, deps.clock())
        return {
          subject,
          text,
          texts: texts ?? own,
          isOwn: texts === null,
          version,
          ...mailValues(template, language),
          htmlUrl: `/api/mail_previews/${template}/${language}?${query}`,
        }
      },
    }),
    route('setMailTexts', 'PUT /admin/mail_templates/:template', shop, {
      summary: "Edit an email's text, or restore the default",
      input: { json: mailTextsInput },
      output: { 204: 'Saved' },
      errors: ['request.not_found'],
      handler: (c) => {
        const template = known(c.req.param('template'))
        return setMailTexts(deps, { template, staffId: c.var.user.id }, c.req.valid('json'))
      },
    }),
    route('sendTestMail', 'POST /admin/mail_templates/:template/test', shop, {
      summary: 'Send a test email to your own address',
      input: { json: mailPreviewInput },
      output: { 204: 'The email was handed over for delivery' },
      errors: ['request.not_found', 'request.rate_limited', 'account.not_found'],
      handler: (c) => sendTest(c.var.user.id, known(c.req.param('template')), c.req.valid('json')),
    }),
    route('renderMailPreview', 'GET /mail_previews/:template/:language', 'visitor', {
      summary: 'Render an email preview by its signed address',
      output: { 200: 'The mail as a page' },
      errors: ['file.link_invalid', 'request.not_found'],
      handler: async (c) => {
        const template = known(c.req.param('template'))
        const language = languages.find((one) => one === c.req.param('language'))
        const { session = '', expires, signature } = c.req.query()
        const signed = { id: `mail:${template}:${language}`, session, expires, signature }
        const alive = fileAddressSeconds(signed, signingKeys(deps.config), deps.clock()) > 0
        if (!language || !alive || !(await isSessionAlive(deps, session))) throw appError('file.link_invalid')
        const { texts } = await findMailTexts(deps.db, template, language)
        const { html } = exampleMail(deps, definitions, { template, language, texts })
        return c.html(html, 200, { 'content-security-policy': letterPolicy, 'cache-control': 'private, no-store' })
      },
    }),
  ]
}

const values = {
  number: 'R-000123',
  code: '123456',
  minutes: '15',
  device: 'Chrome · Android',
  when: '17 Agustus 2026, 10.00 WIB',
  amount: 'Rp 165.000',
  credits: '499',
  reference: 'BCA-0099',
  reason: 'Contoh alasan',
  list: '2 transfer',
  title: 'Foto keluarga',
  text: 'Contoh pesan',
  note: '\n\nContoh catatan',
}

/** With staff's texts if there are any. */
function exampleMail(
  { config }: Pick<Deps, 'config'>,
  definitions: MailDefinitions,
  {
    template,
    language,
    texts,
    to = '',
  }: { template: MailTemplate; language: Language; texts: MailTexts | null; to?: string },
): Mail {
  return composeMail({
    template,
    cause: definitions[template].cause,
    to,
    language,
    link: new URL('/', config.publicUrl).href,
    values: { support: config.supportEmail, ...values },
    texts: textsToSend(template, language, texts),
  })
}

/** Without texts restores the program's own. */
async function setMailTexts(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { template, staffId }: { template: MailTemplate; staffId: string },
  { language, texts, version }: typeof mailTextsInput.infer,
): Promise<void> {
  const wrong = texts ? wrongTexts(template, language, texts) : []
  if (wrong.length > 0) {
    const details = Object.fromEntries(wrong.map((field) => [`texts.${field}`, 'form.invalid']))
    throw appError('form.invalid', { details })
  }
  const id = `${template}:${language}`
  await transact(db, async (tx) => {
    await advisoryLock(tx, `mail_texts:${id}`)
    const before = await findMailTexts(tx, template, language)
    requireVersion(version, before.version)
    const row = { template, language, texts, version: before.version + 1 }
    await tx
      .insert(mailTexts)
      .values(row)
      .onConflictDoUpdate({ target: [mailTexts.template, mailTexts.language], set: row })
    await audit(tx, {
      actor: staffId,
      action: 'mail_texts.changed',
      subject: { kind: 'mail', id },
      before: before.texts,
      after: texts,
      now: clock(),
    })
  })
}
