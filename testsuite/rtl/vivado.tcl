# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Stand-ins for the commands of Vivado that rtl/package.tcl uses, for a plain tclsh:
#
#	tclsh vivado.tcl SCRIPT ARGUMENTS...
#
# runs SCRIPT and prints what it adds and sets. An unknown command is an error, so that misspelled
# commands are found. What Vivado's commands do is not modelled.

set interfaces {}
proc get_parts {args} { return {part-a part-b} }
proc create_project {args} { puts "create_project $args" }
proc close_project {args} { puts close_project }
proc add_files {option files} { foreach f $files { puts "add [file tail $f]" } }
proc get_files {pattern} { return "files $pattern" }
proc current_fileset {} { return sources_1 }
proc update_compile_order {args} {}
proc set_property {name value object} { puts "set $name {$value} on {$object}" }
proc get_property {name object} { return $object }

namespace eval ipx {
	proc package_project {args} { puts "package_project $args" }
	proc current_core {} { return core }
	proc get_user_parameters {args} { return {Component_Name CLIQUE XILINX OUT_DEPTH} }
	proc get_hdl_parameters {name args} { return "hdl $name" }
	proc infer_bus_interfaces {kind core} {
		puts "infer $kind"
		lappend ::interfaces [expr {[string match *aximm* $kind] ? "s_axil" : "m_axis"}]
	}
	proc infer_bus_interface {name kind core} {
		puts "infer $name $kind"
		lappend ::interfaces $name
	}
	proc get_bus_interfaces {name args} {
		return [expr {$name in $::interfaces ? $name : {}}]
	}
	proc get_bus_parameters {name args} { return $name }
	proc get_memory_maps {args} { return map }
	proc get_address_blocks {args} { return block }
	proc create_xgui_files {core} {}
	proc update_checksums {core} {}
	proc check_integrity {core} {}
	proc save_core {core} { puts save_core }
}

set script [lindex $argv 0]
set argv [lrange $argv 1 end]
set argc [llength $argv]
source $script
