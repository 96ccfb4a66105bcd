-- SPDX-License-Identifier: BSD-2-Clause
-- SPDX-FileCopyrightText: nfacc contributors
-- The part of a dissector that is the same for all protocols; dissector.c prints the protocol's
-- tables before it. It runs in Lua 5.2 to 5.4: there are no operators on bits, and numbers stay
-- whole. `high` and `low` are the halves of a header, 32 bits each.

local byte = string.byte
local filter_name = NAME:lower():gsub("[^%w]", "_")
local made, proto = pcall(Proto, filter_name, "Messages of protocol " .. NAME)
if not made then -- Wireshark has a protocol of this name.
	filter_name = "nfacc_" .. filter_name
	proto = Proto(filter_name, "Messages of protocol " .. NAME)
end

---- What packets have: fields and expert information.

local fields = {} -- by name
local all_fields = {}

local function add_field(kind, name, text, ...)
	local f = ProtoField[kind](filter_name .. "." .. name, text, ...)
	fields[name] = f
	all_fields[#all_fields + 1] = f
	return f
end

add_field("uint64", "cycle", "Cycle", base.DEC)
add_field("string", "slot", "Slot")
add_field("string", "group", "Group")
add_field("uint8", "channel", "Channel", base.DEC)
add_field("string", "type", "Type")
if ADDRESS_DIGITS > 0 then -- Wireshark shows all digits that a number of this kind can have.
	local kind = ADDRESS_DIGITS <= 2 and "uint8" or ADDRESS_DIGITS <= 4 and "uint16"
		or ADDRESS_DIGITS <= 8 and "uint32" or "uint64"
	add_field(kind, "addr", "Address", base.HEX)
end
add_field("uint64", "header", "Header", base.HEX)
add_field("string", "label", "Label")
add_field("bool", "tick", "Tick")
add_field("bool", "end", "End")
add_field("bool", "damaged", "Damaged batch")
add_field("uint64", "lost", "Lost messages", base.DEC)
add_field("bool", "lost_unknown", "Lost messages, their number is not known")
add_field("string", "pair", "Pair")
add_field("framenum", "answer_in", "Answer in", base.NONE, frametype.RESPONSE)
add_field("framenum", "request_in", "Request in", base.NONE, frametype.REQUEST)
add_field("uint64", "latency", "Latency in cycles", base.DEC)

-- Fields of the protocol. One that is called like a field above stands below `field.`.
-- Place 0 is that of the opcode.
local reserved = { opcode = true }
for name in pairs(fields) do
	reserved[name] = true
end
for i = 0, #places do
	local place = places[i]
	local name = place.name
	if i > 0 and reserved[name] then
		name = "field." .. name
	end
	if place.value then
		place.field = add_field("uint64", name, place.name, base.DEC)
	else
		place.field = add_field("uint32", name, place.name, base.DEC, nil, place.mask)
	end
end
proto.fields = all_fields

local function expert_info(name, text, group, severity)
	return ProtoExpert.new(filter_name .. "." .. name, text, group, severity)
end

local accepted = expert_info("accepted", "Accepted", expert.group.PROTOCOL, expert.severity.NOTE)
local unknown = expert_info("unknown", "Opcode without a name", expert.group.UNDECODED, expert.severity.WARN)
local lost = expert_info("loss", "Messages were lost", expert.group.SEQUENCE, expert.severity.WARN)
local damaged = expert_info("damage", "Damaged batch", expert.group.MALFORMED, expert.severity.WARN)
local unanswered = expert_info("unanswered", "No answer", expert.group.SEQUENCE, expert.severity.WARN)
local unasked = expert_info("unasked", "An answer without a request", expert.group.SEQUENCE, expert.severity.NOTE)
local malformed = expert_info("malformed", "Not a packet of this protocol", expert.group.MALFORMED, expert.severity.ERROR)
proto.experts = { accepted, unknown, lost, damaged, unanswered, unasked, malformed }

---- Messages by code: slot times the number of opcodes, plus opcode.

local messages = {}

-- Returns what is known of messages with this code.
local function new_message(slot, type, has_address, its_places)
	local at = slot.channel and "@" .. slot.channel or ""
	return {
		slot = slot, type = type, has_address = has_address, places = its_places,
		text = type and slot.group .. "." .. type .. at, roles = nil
	}
end

local groups, known_groups = {}, {}
for i = 0, #slots do
	local group = slots[i].group
	if not known_groups[group] then
		groups[#groups + 1] = group
		known_groups[group] = true
	end
end

-- A slot's group sends its messages. Where there are two groups, the other one receives them.
for _, slot in pairs(slots) do
	slot.name = slot.group .. (slot.channel and "@" .. slot.channel or "")
	slot.receiver = #groups == 2 and groups[slot.group == groups[1] and 2 or 1]
end
for _, t in ipairs(types) do
	for _, slot in ipairs(t.slots) do
		messages[slot * OPCODES + t.opcode] = new_message(slots[slot], t.name, t.address, t.places)
	end
end

-- Returns what is known of messages with this code; nil: there is no such slot.
local function message_of(slot, opcode)
	local code = slot * OPCODES + opcode
	local m = messages[code]
	if not m and slots[slot] then
		m = new_message(slots[slot], nil, false, everywhere)
		messages[code] = m
	end
	return m
end

-- Nearly all that a dissector makes for a packet is garbage at once, and what stays only grows: going
-- through it less often saves a sixth of the time, for a twentieth more memory.
collectgarbage("setpause", 1000)

---- Pairs. Requests and answers are joined when packets are read for the first time, in order.

-- Requests of the current batch: their rules, keys and places. Messages of a batch are simultaneous,
-- so none of its answers is for one of them.
local pending, pending_rule, pending_key, pending_place
local batch_high, batch_low -- its cycle

-- By the place of a request or answer, which is its frame, or for roles behind the first of a message
-- a negative number: the frame of the other one, if there is one; why a request has no answer; a request's
-- cycle, whose high half is left out if it is 0.
local linked, fate, cycle_high_of, cycle_low_of

-- Requests that wait for answers in order: how many there are, and all that have waited, in the order
-- in which they came. Those that wait no more stay in the list until they are its first. When more
-- than MOST_WAITING wait, the first is given up.
local MOST_WAITING = 1048576
local waiting, line, line_first, line_last

local function forget()
	pending, pending_rule, pending_key, pending_place = 0, {}, {}, {}
	batch_high, batch_low = nil, nil
	linked, fate, cycle_high_of, cycle_low_of = {}, {}, {}, {}
	waiting, line, line_first, line_last = 0, {}, 1, 0
	for _, rule in ipairs(rules) do
		-- By key: the place of the open request; of a rule in order, a queue of places, whose indices
		-- are from `first` to `last`.
		rule.open = {}
	end
end
proto.init = forget
forget()

local function place_of(frame, i)
	return i == 1 and frame or -(frame * 64 + i)
end

local function frame_of(place)
	return place > 0 and place or math.floor(-place / 64)
end

local function add_roles(rule, is_request, sides)
	for _, side in ipairs(sides) do
		for _, code in ipairs(side.codes) do
			local m = message_of(math.floor(code / OPCODES), code % OPCODES)
			m.roles = m.roles or {}
			m.roles[#m.roles + 1] = { rule = rule, is_request = is_request, key = side.key }
		end
	end
end
for _, rule in ipairs(rules) do
	add_roles(rule, false, rule.answers)
	add_roles(rule, true, rule.requests)
end

-- Takes the request that waits longest out of a rule's queue. Returns its place; nil: none waits.
local function take_first(rule, key)
	local queue = rule.open[key]
	if not queue then
		return nil
	end
	local place = queue[queue.first]
	queue[queue.first] = nil
	queue.first = queue.first + 1
	if queue.first > queue.last then
		rule.open[key] = nil
	end
	waiting = waiting - 1
	return place
end

-- Takes those that wait no more from the front of the line.
local function clean_line()
	while line_first <= line_last do
		local place = line[line_first].place
		if not linked[place] and not fate[place] then
			return
		end
		line[line_first] = nil
		line_first = line_first + 1
	end
end

-- Puts a request at the end of a rule's queue.
local function wait_in_order(rule, key, place)
	clean_line()
	if waiting == MOST_WAITING then
		local oldest = line[line_first]
		fate[take_first(oldest.rule, oldest.key)] = "it was given up, because too many requests wait"
	end
	local queue = rule.open[key]
	if not queue then
		queue = { first = 1, last = 0 }
		rule.open[key] = queue
	end
	queue.last = queue.last + 1
	queue[queue.last] = place
	waiting = waiting + 1
	line_last = line_last + 1
	line[line_last] = { rule = rule, key = key, place = place }
end

local function end_batch()
	for i = 1, pending do
		local rule, key = pending_rule[i], pending_key[i]
		local open = rule.open
		if rule.in_order then
			wait_in_order(rule, key, pending_place[i])
		else
			if open[key] then
				fate[open[key]] = "another request with the same keys came first"
			end
			open[key] = pending_place[i]
		end
	end
	pending = 0
end

-- At a loss nothing stays open.
local function lose()
	end_batch()
	batch_high = nil
	for _, rule in ipairs(rules) do
		for key, open in pairs(rule.open) do
			for i = rule.in_order and open.first or 1, rule.in_order and open.last or 1 do
				fate[rule.in_order and open[i] or open] = "messages were lost while it was open"
			end
		end
		if next(rule.open) then
			rule.open = {}
		end
	end
	waiting, line, line_first, line_last = 0, {}, 1, 0
end

-- Takes a message in. `high` and `low` are its header, cycle_high and cycle_low its cycle.
local function take_message(roles, frame, high, low, cycle_high, cycle_low)
	if cycle_low ~= batch_low or cycle_high ~= batch_high then
		end_batch()
		batch_high, batch_low = cycle_high, cycle_low
	end
	for i = 1, #roles do
		local role, place = roles[i], i == 1 and frame or place_of(frame, i)
		local key = role.key(high, low)
		if role.is_request then
			pending = pending + 1
			pending_rule[pending], pending_key[pending] = role.rule, key
			pending_place[pending] = place
			cycle_low_of[place] = cycle_low
			if cycle_high ~= 0 then
				cycle_high_of[place] = cycle_high
			end
		else
			local rule = role.rule
			local request = rule.in_order and take_first(rule, key) or rule.open[key]
			if request then
				linked[place], linked[request] = request, place
				if not rule.in_order then
					rule.open[key] = nil
				end
			end
		end
	end
end

---- The tree.

-- The fields that someone wants to see. What it is stays the same while packets come one after the
-- other: a new filter begins at the first packet again.
local wanted, last_frame = {}, -1

local function find_wanted(tree, frame)
	if frame ~= last_frame + 1 then
		for _, f in ipairs(all_fields) do
			wanted[f] = tree:referenced(f)
		end
	end
	last_frame = frame
end

local function add_wanted(tree, name, range, value)
	if wanted[fields[name]] then
		tree:add(fields[name], range, value)
	end
end

local function add_generated(tree, name, value)
	if wanted[fields[name]] then
		tree:add(fields[name], value):set_generated()
	end
end

-- Returns the cycles between two cycles, whose high halves may be nil, which is 0.
local function cycles_since(high, low, earlier_high, earlier_low)
	return UInt64((high - (earlier_high or 0)) * 4294967296 + (low - earlier_low))
end

-- Shows what pair the i-th role of a message belongs to. The cycle is that of the message.
local function show_pair(tree, role, frame, i, visited, cycle_high, cycle_low)
	local place = place_of(frame, i)
	local other = linked[place]
	add_generated(tree, "pair", role.rule.name)
	if role.is_request and other then
		add_generated(tree, "answer_in", frame_of(other))
	elseif role.is_request then
		if visited then -- Only now all answers are known.
			tree:add_proto_expert_info(unanswered, "no answer: " ..
				(fate[place] or "it was open at the end"))
		end
	elseif other then
		add_generated(tree, "request_in", frame_of(other))
		if wanted[fields.latency] then
			tree:add(fields.latency, cycles_since(cycle_high, cycle_low, cycle_high_of[other],
				cycle_low_of[other])):set_generated()
		end
	else
		tree:add_proto_expert_info(unasked)
	end
end

local function show_message(tree, tvb, m, high, low)
	local header, slot = tvb(HEADER, 8), tvb(SLOT, 1)
	local halves = { tvb(HEADER, 4), tvb(HEADER + 4, 4) }
	add_wanted(tree, "slot", slot, m.slot.name)
	add_wanted(tree, "group", slot, m.slot.group)
	if m.slot.channel then
		add_wanted(tree, "channel", slot, m.slot.channel)
	end
	if m.type then
		add_wanted(tree, "type", header, m.type)
	else
		tree:add_proto_expert_info(unknown)
	end
	if m.has_address and wanted[fields.addr] then
		local value = address(high, low)
		local digits = tostring(value:tohex(16)):sub(-ADDRESS_DIGITS)
		tree:add(fields.addr, header, ADDRESS_DIGITS > 8 and value or value:tonumber(), "Address: 0x" .. digits)
	end
	if wanted[fields.header] then
		tree:add(fields.header, header)
	end
	for i = 0, #m.places do
		local place = places[i == 0 and 0 or m.places[i]]
		if wanted[place.field] and place.value then
			tree:add(place.field, header, place.value(high, low))
		elseif wanted[place.field] then
			tree:add(place.field, halves[place.half])
		end
	end
end

-- Returns the labels of a packet, or of many the first ones.
local function short(labels, flags)
	return labels:sub(1, 200) .. ((flags % 16 >= NOT_ALL or #labels > 200) and "..." or "")
end

local function show_labels(tree, tvb, raw, flags)
	local range, labels = tvb(LABELS), raw:sub(LABELS + 1)
	for label in labels:gmatch("[^,]+") do
		add_wanted(tree, "label", range, label)
	end
	tree:add_proto_expert_info(accepted, "accepted: " .. short(labels, flags))
end

local function show_flags(tree, tvb, flags)
	local range = tvb(FLAGS, 1)
	if flags % 2 == 1 then
		add_wanted(tree, "tick", range, true)
	end
	if flags % 4 >= 2 then
		add_wanted(tree, "end", range, true)
	end
	if flags % 8 >= 4 then
		add_wanted(tree, "damaged", range, true)
		tree:add_proto_expert_info(damaged)
	end
end

local function show_loss(tree, tvb, high, low)
	local range = tvb(HEADER, 8)
	if high == 0xffffffff and low == 0xffffffff then
		add_wanted(tree, "lost_unknown", range, true)
	elseif wanted[fields.lost] then
		tree:add(fields.lost, range)
	end
	tree:add_proto_expert_info(lost)
end

---- The dissector.

local function loss_text(high, low)
	if high == 0xffffffff and low == 0xffffffff then
		return "lost: ?"
	end
	return "lost: " .. (high == 0 and format("%d", low) or format("0x%x%08x", high, low))
end

local function time_text(flags)
	return flags % 4 == 3 and "tick end" or flags % 4 == 2 and "end" or "tick"
end

local function message_text(m, high, low)
	if not m.type then
		local digits = format("%08x%08x", high, low)
		return m.slot.name .. "=0x" .. digits:sub(-HEADER_DIGITS)
	end
	if m.has_address then
		return with_address(m.text, high, low)
	end
	return m.text
end

-- Returns what the roles of a message say: how late an answer is, and that a request has no answer.
local function pair_text(roles, frame, visited, cycle_high, cycle_low)
	local text = ""
	for i = 1, #roles do
		local role, place = roles[i], i == 1 and frame or place_of(frame, i)
		local other = linked[place]
		if other and not role.is_request then
			text = text .. " " .. role.rule.name .. " latency " .. tostring(cycles_since(cycle_high,
				cycle_low, cycle_high_of[other], cycle_low_of[other]))
		elseif role.is_request and visited and not other then -- Only now all answers are known.
			text = text .. " " .. role.rule.name .. " unanswered"
		end
	end
	return text
end

local function refuse(tvb, pinfo, tree)
	local item = tree:add(proto, tvb())
	pinfo.cols.info = "not a packet of protocol " .. NAME
	item:add_proto_expert_info(malformed)
end

local function show(tvb, pinfo, tree, raw, text, kind, flags, m, cycle_high, cycle_low, high, low)
	local frame, root = pinfo.number, tree:add(proto, tvb(), NAME .. ", " .. text)
	find_wanted(tree, frame)
	if wanted[fields.cycle] then
		root:add(fields.cycle, tvb(CYCLE, 8))
	end
	if kind == MESSAGE then
		show_message(root, tvb, m, high, low)
		for i = 1, m.roles and #m.roles or 0 do
			show_pair(root, m.roles[i], frame, i, pinfo.visited, cycle_high, cycle_low)
		end
	elseif kind == LOSS then
		show_loss(root, tvb, high, low)
	end
	if flags ~= 0 then
		show_flags(root, tvb, flags)
	end
	if #raw > LABELS then
		show_labels(root, tvb, raw, flags)
	end
end

-- Looking a method up takes as long as its call, so these are looked up once.
local handle, raw_of, is_referenced

function proto.dissector(tvb, pinfo, tree)
	if not handle then
		handle, raw_of, is_referenced = Dissector.get(filter_name), tvb.raw, tree.referenced
	end
	local raw = raw_of(tvb)
	if #raw < LABELS then
		return refuse(tvb, pinfo, tree)
	end
	local q, r, s, t, kind, flags, slot, _, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p = byte(raw, 1, LABELS)
	if ((q * 256 + r) * 256 + s) * 256 + t ~= NUMBER then
		return refuse(tvb, pinfo, tree)
	end
	local cycle_high, cycle_low = ((a * 256 + b) * 256 + c) * 256 + d, ((e * 256 + f) * 256 + g) * 256 + h
	local high, low = ((i * 256 + j) * 256 + k) * 256 + l, ((m * 256 + n) * 256 + o) * 256 + p
	local message, text
	if kind == MESSAGE then
		message = message_of(slot, opcode(high, low))
		text = message and message_text(message, high, low)
	elseif kind == LOSS then
		text = loss_text(high, low)
	elseif kind == TIME then
		text = time_text(flags)
	end
	if not text then
		return refuse(tvb, pinfo, tree)
	end
	local columns = pinfo.cols
	columns.protocol = NAME
	if message then
		columns.src = message.slot.group
		if message.slot.receiver then
			columns.dst = message.slot.receiver
		end
	end
	if not pinfo.visited then
		if kind == LOSS then
			lose()
		elseif message and message.roles then
			take_message(message.roles, pinfo.number, high, low, cycle_high, cycle_low)
		end
	end
	local info = text
	if #raw > LABELS then
		info = info .. " [" .. short(raw:sub(LABELS + 1), flags) .. "]"
	end
	if message and message.roles then
		info = info .. pair_text(message.roles, pinfo.number, pinfo.visited, cycle_high, cycle_low)
	end
	columns.info = info
	if is_referenced(tree, handle) then -- Someone looks at the tree, or filters by a field.
		show(tvb, pinfo, tree, raw, text, kind, flags, message, cycle_high, cycle_low, high, low)
	end
end

DissectorTable.get("wtap_encap"):add(wtap.USER0, proto)
