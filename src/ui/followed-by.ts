const passes = new WeakMap<Element, () => void>()

/**
 * A ref for a control that may go while it has the focus, or while a dialog is open that it opened:
 * the focus goes on to what `next` finds in its place, else to the page's heading.
 */
export const followedBy =
  (next: (place: Element | null) => HTMLElement | null | undefined = () => null) =>
  (control: HTMLElement | null) => {
    if (!control) return
    const place = control.parentElement
    passes.set(control, () => {
      if (control.isConnected) return
      // The first of the two that is there and can be seen.
      for (const follower of [next(place), document.querySelector<HTMLElement>('main h1')]) {
        if (!follower || document.activeElement !== document.body) continue
        if (follower.tabIndex < 0) follower.tabIndex = -1
        follower.focus({ preventScroll: true })
      }
    })
    return () => {
      // It is in the page until what comes instead is drawn.
      if (document.activeElement === control) queueMicrotask(() => passFocus(control))
    }
  }

/** Gives the focus on where what should have it is gone, and said what follows. */
export function passFocus(from: Element | null): void {
  if (from) passes.get(from)?.()
}

/** The first that can be pressed. */
export const firstControl = (place: Element | null) =>
  place?.querySelector<HTMLElement>('a[href], button:not(:disabled)')
