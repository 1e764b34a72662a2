/**
 * Declarative, as Safari shows it without a worker; other browsers' worker shows the same (Push
 * API, "Declarative push message").
 */
export interface PushMessage {
  web_push: 8030
  notification: {
    title: string
    body: string
    lang: string
    navigate: string
    /** Messages with equal tags are grouped. */
    tag: string
    data: {
      /** Summary of several messages; `{count}` is their number. */
      group: { title: string; navigate: string }
    }
  }
}
