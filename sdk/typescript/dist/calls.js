// What a call is, before anything was sent.
export function urlOf(base, call) {
    let path = call.template;
    for (const [name, value] of Object.entries(call.path ?? {}))
        path = path.replace(`{${name}}`, encodeURIComponent(value));
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(call.query ?? {})) {
        if (value === undefined || value === null)
            continue;
        if (typeof value === "object")
            for (const [part, said] of Object.entries(value))
                query.append(`${name}.${part}`, String(said));
        else
            query.append(name, String(value));
    }
    const text = query.toString();
    return text ? `${base}${path}?${text}` : `${base}${path}`;
}
