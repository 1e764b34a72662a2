/** Where people ask for help; at the operator's own address, as the server's mails are. */
export function supportEmail(host: string = location.hostname): string {
  const named = /\.[a-z]{2,}$/i.test(host)
  return `support@${named ? host.replace(/^www\./, '') : 'rupa.test'}`
}
