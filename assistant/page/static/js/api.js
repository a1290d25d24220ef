/** Requests to the referee's server. */

/**
 * @param {string} path
 * @param {{method?: string, json?: any, body?: BodyInit, type?: string, signal?: AbortSignal}} [options]
 *   `json` is sent as JSON; `body` as it is, with the content type `type`. With either the method is POST unless given.
 * @param {import("./texts.js").Texts} texts
 * @returns {Promise<Response>}
 * @throws {{status: number, error: string, text: any}} status 0: the server was not reached
 */
export async function api(path, options = {}, texts) {
  const { json, body, type, signal } = options;
  const headers = {};
  if (json !== undefined) headers["content-type"] = "application/json";
  else if (type) headers["content-type"] = type;
  let answer;
  try {
    answer = await fetch(path, {
      method: options.method || (json !== undefined || body !== undefined ? "POST" : "GET"),
      headers,
      body: json !== undefined ? JSON.stringify(json) : body,
      credentials: "same-origin",
      cache: "no-store",
      signal,
    });
  } catch (problem) {
    if (problem.name === "AbortError") throw problem;
    throw { status: 0, error: "offline", text: texts.t("shell.offline") };
  }
  if (answer.ok) return answer;
  const said = await answer.json().catch(() => ({}));
  throw {
    status: answer.status,
    error: said.error || "unknown",
    text: said.text || texts.t("shell.failed", { status: answer.status }),
  };
}
