const passes = new WeakMap<Element, () => void>()

/**
 * Ref for a control that may be removed while it, or a dialog it opened, has the focus: the focus
 * moves to the element that `next` finds, else to the page's heading.
 */
export const restoreFocusTo =
  (next: (place: Element | null) => HTMLElement | null | undefined = () => null) =>
  (control: HTMLElement | null) => {
    if (!control) return
    const place = control.parentElement
    passes.set(control, () => {
      if (control.isConnected) return
      // The first candidate that exists and is visible.
      for (const follower of [next(place), document.querySelector<HTMLElement>('main h1')]) {
        if (!follower || document.activeElement !== document.body) continue
        if (follower.tabIndex < 0) follower.tabIndex = -1
        follower.focus({ preventScroll: true })
      }
    })
    return () => {
      // The control stays in the page until its replacement is rendered.
      if (document.activeElement === control) queueMicrotask(() => passFocus(control))
    }
  }

/** Moves the focus on when its owner is gone. */
export function passFocus(from: Element | null): void {
  if (from) passes.get(from)?.()
}

/** First control that can be pressed. */
export const firstControl = (place: Element | null) =>
  place?.querySelector<HTMLElement>('a[href], button:not(:disabled)')
