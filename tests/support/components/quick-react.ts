/**
 * React's development build wraps each element's work in a task of the console and measures it for
 * the browser's timeline, if the console can. No test reads them, and they are a tenth of a page's
 * time.
 */
Object.assign(console, { createTask: undefined, timeStamp: undefined })
