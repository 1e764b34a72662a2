import { brandName } from '#contract/brand.ts'
import type { Language } from '#contract/language.ts'
import { translate } from '../i18n.ts'
import type { Mail } from './mailer.ts'
import type { MailTemplate } from './table.ts'

/** A mail in one language: subject, plain text, and HTML that needs neither styles from outside nor pictures. */
export function composeMail({
  template,
  to,
  language,
  link,
  values,
}: {
  template: MailTemplate
  to: string
  language: Language
  link: string
  /** What its sentences are about. */
  values?: Record<string, string>
}): Mail {
  const subject = translate(language, `mail.${template}.subject`, values)
  const greeting = translate(language, 'mail.greeting')
  const text = translate(language, `mail.${template}.text`, values)
  const action = translate(language, `mail.${template}.action`, { brand: brandName })
  const hint = translate(language, 'mail.link_hint')
  const footer = translate(language, 'mail.footer', { brand: brandName })
  return {
    to,
    subject: `${subject} - ${brandName}`,
    text: [greeting, text, `${action}:`, link, '-- ', footer].join('\n\n'),
    html: page({ language, subject, greeting, text, action, hint, footer, link }),
    link,
  }
}

function page(
  raw: Record<'subject' | 'greeting' | 'text' | 'action' | 'hint' | 'footer' | 'link', string> & { language: Language },
) {
  const { language, subject, greeting, text, action, hint, footer, link } = Object.fromEntries(
    Object.entries(raw).map(([name, value]) => [name, escapeHtml(value)]),
  ) as typeof raw
  const font = 'font-family:system-ui,-apple-system,Segoe UI,Roboto,sans-serif'
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${subject}</title></head>
<body style="margin:0;padding:24px;background:#f6f5f3;${font}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:480px;background:#ffffff;border-radius:16px;padding:32px;text-align:left;color:#1f1d1a;font-size:16px;line-height:1.5">
<tr><td>
<p style="margin:0 0 24px;font-weight:700;font-size:20px">${brandName}</p>
<p style="margin:0 0 12px">${greeting}</p>
<p style="margin:0 0 24px">${text}</p>
<p style="margin:0 0 24px"><a href="${link}" style="display:inline-block;background:#1f1d1a;color:#ffffff;text-decoration:none;font-weight:600;padding:12px 24px;border-radius:12px">${action}</a></p>
<p style="margin:0 0 4px;font-size:13px;color:#6b6760">${hint}</p>
<p style="margin:0 0 24px;font-size:13px;word-break:break-all"><a href="${link}" style="color:#6b6760">${link}</a></p>
<p style="margin:0;font-size:13px;color:#6b6760">${footer}</p>
</td></tr></table>
</td></tr></table>
</body>
</html>
`
}

function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
  return text.replace(/[&<>"']/g, (sign) => entities[sign] as string)
}
