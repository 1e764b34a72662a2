/**
 * Declarative message (Push API), shown by Safari without a worker and by other browsers' workers.
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
