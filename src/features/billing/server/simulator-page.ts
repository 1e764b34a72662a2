import { brandName } from '#contract/brand.ts'
import type { Language } from '#contract/language.ts'
import { type MessageId, translate } from '#server/i18n.ts'
import { paymentMethods } from '../methods.ts'
import { formatIdr } from './format.ts'
import { type SimulatorAction, type SimulatorSession, simulatorActions } from './simulate.ts'

const live: SimulatorAction[] = ['pay', 'pay_twice', 'pay_wrong', 'fail', 'expire']

/** The local page that stands for a bank, wallet or QR code: plain forms, so that it works under the strictest policy. */
export function simulatorPage(session: SimulatorSession, language: Language): string {
  const say = (id: MessageId, values?: Record<string, string>) => escapeHtml(translate(language, id, values))
  const actions = simulatorActions.filter((action) =>
    (session.status === 'ACTIVE' ? live : ['pay_late']).includes(action),
  )
  const buttons = (session.status === 'COMPLETED' ? (['pay_twice'] as const) : actions).map(
    (action) =>
      `<form method="post" action="/api/simulator/${session.id}/${action}"><p><button type="submit">${say(`simulator.${action}`)}</button></p></form>`,
  )
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${say('simulator.title')} - ${brandName}</title></head>
<body>
<main>
<h1>${say('simulator.title')}</h1>
<p>${say('simulator.explanation')}</p>
<p><strong>${escapeHtml(formatIdr(session.amount))}</strong>, ${escapeHtml(paymentMethods[session.method].name)}</p>
<p>${say(`simulator.status.${session.status}`)}</p>
${buttons.join('\n')}
</main>
</body>
</html>
`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
