import { createHash } from 'node:crypto'
import { type MessageId, translate } from '#server/i18n.ts'
import { brandName } from '#shared/brand.ts'
import type { Language } from '#shared/language.ts'
import { paymentMethods } from '../../methods.ts'
import { formatIdr } from '../orders/format.ts'
import { type SimulatorAction, type SimulatorSession, simulatorActions } from './simulate.ts'

const activeActions: SimulatorAction[] = ['pay', 'pay_twice', 'pay_wrong', 'fail', 'expire']

const style = `
:root{color-scheme:light dark;--ground:#faf7f2;--card:#fff;--ink:#1f1d1a;--faint:#6b665e;--line:#e4ded5;--main:#b94a2a;--on-main:#fff}
@media (prefers-color-scheme:dark){:root{--ground:#15120f;--card:#1f1e1a;--ink:#f5f1ea;--faint:#b3aca1;--line:#3a372f;--main:#e68a6b;--on-main:#15120f}}
*{box-sizing:border-box}
body{margin:0;padding:24px 16px;background:var(--ground);color:var(--ink);font:16px/1.6 system-ui,sans-serif}
main{max-width:440px;margin:0 auto;padding:24px;background:var(--card);border:1px solid var(--line);border-radius:20px}
h1{margin:0 0 4px;font-size:22px;line-height:1.3}
p{margin:0}
.faint{color:var(--faint);font-size:14px}
.sum{margin:20px 0;padding:16px;border:1px solid var(--line);border-radius:14px}
.sum strong{display:block;font-size:28px;line-height:1.3}
form{margin-top:12px}
button,.back{display:block;width:100%;min-height:48px;padding:10px 16px;border:1px solid var(--line);border-radius:14px;background:none;color:inherit;font:600 16px/1.4 system-ui,sans-serif;text-align:center;text-decoration:none;cursor:pointer}
form:first-of-type button{background:var(--main);border-color:var(--main);color:var(--on-main)}
button:focus-visible,.back:focus-visible{outline:3px solid var(--main);outline-offset:2px}
.back{margin-top:12px;border-color:transparent}
`

/** Allows only this style, and forms that post to this server. */
export const simulatorPolicy = [
  `default-src 'none'`,
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  `form-action 'self'`,
  `base-uri 'none'`,
  `frame-ancestors 'none'`,
].join('; ')

/** Plain forms, so that the page works under the strictest policy. */
export function simulatorPage(session: SimulatorSession, language: Language): string {
  const say = (id: MessageId, values?: Record<string, string>) => escapeHtml(translate(language, id, values))
  const actions = simulatorActions.filter((action) =>
    (session.status === 'ACTIVE' ? activeActions : ['pay_late']).includes(action),
  )
  const buttons = (session.status === 'COMPLETED' ? (['pay_twice'] as const) : actions).map(
    (action) =>
      `<form method="post" action="/api/simulator/${session.id}/${action}"><button type="submit">${say(`simulator.${action}`)}</button></form>`,
  )
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${say('simulator.title')} - ${brandName}</title><style>${style}</style></head>
<body>
<main>
<h1>${say('simulator.title')}</h1>
<p class="faint">${say('simulator.explanation')}</p>
<div class="sum">
<p class="faint">${escapeHtml(paymentMethods[session.method].name)}</p>
<strong>${escapeHtml(formatIdr(session.amount))}</strong>
<p class="faint">${say(`simulator.status.${session.status}`)}</p>
</div>
${buttons.join('\n')}
<a class="back" href="/checkout?order=${session.orderId}">${say('simulator.back')}</a>
</main>
</body>
</html>
`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
