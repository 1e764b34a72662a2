/**
 * What a message carries: declarative as Safari reads it without a worker; other browsers' worker
 * shows the same (Push API, "Declarative push message").
 */
export interface PushMessage {
  web_push: 8030
  notification: {
    title: string
    body: string
    lang: string
    /** Where a tap leads. */
    navigate: string
    /** Messages of the same one are grouped. */
    tag: string
    data: {
      /** What stands for several; `{count}` is how many. */
      group: { title: string; navigate: string }
    }
  }
}
