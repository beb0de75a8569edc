/** The storage of the browser. Null if it is blocked: everything is then kept until the page is left. */
export const storage = ((): Storage | null => {
  try {
    return localStorage;
  } catch {
    return null;
  }
})();
